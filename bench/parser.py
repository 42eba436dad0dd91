#!/usr/bin/env python3
"""What reading a command line costs at the start of a command: our parser beside picocli, each under its own AOT cache.

    bench/parser.py                 about two minutes on two cores
    bench/parser.py --rounds 10     a quick try

All programs know the same verbs and options, those of `fairlead`, read the same line, and end; "nothing" reads nothing.
picocli is measured in three shapes: annotated classes for all verbs, its programmatic model for all verbs, and that model
for the typed verb alone, which is the least it can do. Each shape has two rows: the jar as it is published, whose classes
are of Java 5 and too old for an AOT cache, and the same sources compiled by today's compiler.
Maven fetches picocli; the program itself never has it. Prints the table of docs/adr/0011: medians, the programs taking turns.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICOCLI = "4.7.7"
VALUE, FLAG = '.type(String.class).arity("1")', ".type(boolean.class)"
LINE = ["--cluster", "lab", "list", "--json", "--all"]


# As the launcher does: they would spoil the caches.
for name in "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS":
    os.environ.pop(name, None)


def jvm():
    """The JVM's options and class path of the built command, without its own cache."""
    subprocess.run([ROOT / "fairlead", "version"], check=True, stdout=subprocess.DEVNULL)
    java = pathlib.Path((ROOT / ".build/java").read_text().strip()) / "bin"
    words = (pathlib.Path((ROOT / ".build/current").read_text().strip()) / "cli.jvm").read_text().split("\n")
    options = [word.strip('"') for word in words if word and "AOTCache" not in word]
    at = options.index("-cp")
    return java, options[:at], options[at + 1]


def fetch(work, java):
    """The published jar, and one that is compiled from its sources."""
    for kind in "", ":jar:sources":
        copy = ["mvn", "-B", "-q", "dependency:copy", f"-Dartifact=info.picocli:picocli:{PICOCLI}{kind}", f"-DoutputDirectory={work}"]
        if subprocess.run([*copy, "-o"], cwd=ROOT, capture_output=True).returncode:
            subprocess.run(copy, cwd=ROOT, check=True)
    sources, classes, own = work / "sources", work / "classes", work / "picocli.jar"
    sources.mkdir()
    subprocess.run([java / "jar", "--extract", "--file", work / f"picocli-{PICOCLI}-sources.jar"], cwd=sources, check=True)
    files = sorted(sources.glob("picocli/*.java"))
    subprocess.run([java / "javac", "-nowarn", "-proc:none", "-d", classes, *files], check=True, capture_output=True)
    subprocess.run([java / "jar", "--create", "--file", own, "-C", classes, "."], check=True)
    return {"as published": work / f"picocli-{PICOCLI}.jar", "compiled anew": own}


def quoted(names):
    return ", ".join(f'"{name}"' for name in names)


def model(verbs):
    """The programmatic model: with a second word "one" only for the verb of the line."""
    adds = []
    for names, options in verbs:
        lines = "".join(
            f"        spec.addOption(OptionSpec.builder({quoted(each)}){VALUE if valued else FLAG}.build());\n"
            for valued, each in options
        )
        more = f".aliases({quoted(names[1:])})" if names[1:] else ""
        adds.append((names, f"""
    private static CommandSpec {identifier(names[0])}() {{
        CommandSpec spec = CommandSpec.create().name("{names[0]}"){more};
{lines}        spec.addPositional(PositionalParamSpec.builder().type(String[].class).arity("0..*").build());
        return spec;
    }}
"""))
    every = "\n".join(f'        root.addSubcommand("{n[0]}", {identifier(n[0])}());' for n, _ in adds)
    one = next(n for n, _ in adds if n[0] == "list")
    body = "".join(text for _, text in adds)
    for name, calls in ("Model", every), ("ModelOfOne", f'        root.addSubcommand("list", {identifier(one[0])}());'):
        yield name, f"""
import picocli.CommandLine;
import picocli.CommandLine.Model.*;

final class {name} {{
    public static void main(String[] words) {{
        CommandSpec root = CommandSpec.create().name("fairlead");
        root.addOption(OptionSpec.builder("--cluster", "-c").type(String.class).arity("1").build());
{calls}
        var result = new CommandLine(root).parseArgs(words);
        Runtime.getRuntime().halt(result.subcommand().hasMatchedOption("--json") ? 0 : 1);
    }}
{body}}}
"""


def annotated(verbs):
    classes, names = [], []
    for verb, options in verbs:
        name = "V" + identifier(verb[0])
        names.append(name + ".class")
        fields = "".join(
            f"        @Option(names = {{{quoted(each)}}}) {'String' if valued else 'boolean'} o{i};\n"
            for i, (valued, each) in enumerate(options)
        )
        aliases = f", aliases = {{{quoted(verb[1:])}}}" if verb[1:] else ""
        classes.append(f"""
    @Command(name = "{verb[0]}"{aliases})
    static final class {name} {{
{fields}        @Parameters String[] operands;
    }}
""")
    yield "Annotated", f"""
import picocli.CommandLine;
import picocli.CommandLine.*;

@Command(name = "fairlead", subcommands = {{{", ".join("Annotated." + n for n in names)}}})
final class Annotated {{
    @Option(names = {{"--cluster", "-c"}}) String cluster;

    public static void main(String[] words) {{
        var result = new CommandLine(new Annotated()).parseArgs(words);
        Runtime.getRuntime().halt(result.subcommand().hasMatchedOption("--json") ? 0 : 1);
    }}
{"".join(classes)}}}
"""


def identifier(name):
    return "v_" + re.sub(r"\W", "_", name)


def listed(text):
    verbs = []
    for line in text.splitlines():
        kind, *words = line.split()
        if kind == "verb":
            verbs.append((words, []))
        elif not any(set(words) & set(each) for _, each in verbs[-1][1]):
            verbs[-1][1].append((kind == "value", words))
    return verbs


def timed(command):
    """Milliseconds of the wall clock and of the processors."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} exited with {process.returncode}")
    return 1000 * (time.monotonic() - start), 1000 * (used.ru_utime + used.ru_stime)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=60)
    rounds = arguments.parse_args().rounds
    java, options, path = jvm()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        jars = fetch(work, java)

        def compiled(name, source, classes):
            """A jar, because the AOT cache keeps no classes of folders."""
            out = work / name
            out.mkdir()
            file = source if isinstance(source, pathlib.Path) else work / f"{name}.java"
            if file is not source:
                file.write_text(source)
            subprocess.run([java / "javac", "-proc:none", "-cp", classes, "-d", out, file], check=True)
            subprocess.run([java / "jar", "--create", "--file", work / f"{name}.jar", "-C", out, "."], check=True)
            return f"{work / name}.jar"

        nothing = "final class Nothing { public static void main(String[] w) { Runtime.getRuntime().halt(0); } }"
        programs = {"nothing": ("Nothing", compiled("Nothing", nothing, path))}
        ours = f"{compiled('Ours', ROOT / 'bench/parser/Ours.java', path)}:{path}"
        programs["ours"] = ("fairlead.cli.Ours", ours)
        told = subprocess.run([java / "java", *options, "-cp", ours, "fairlead.cli.Ours"], check=True, capture_output=True, text=True)
        verbs = listed(told.stdout)
        shown = {"ModelOfOne": "model of the one verb", "Model": "model of all verbs", "Annotated": "annotations"}
        sources = {**dict(model(verbs)), **dict(annotated(verbs))}
        for name, words in shown.items():
            classes = compiled(name, sources[name], str(jars["as published"]))
            for kind, jar in jars.items():
                programs[f"picocli, {words}, {kind}"] = (name, f"{classes}:{jar}")
        commands = {}
        for number, (words, (main_class, classes)) in enumerate(programs.items()):
            cache = work / f"{number}.aot"
            plain = [java / "java", *options, "-cp", classes]
            subprocess.run([*plain, f"-XX:AOTCacheOutput={cache}", main_class, *LINE], check=True, capture_output=True)
            if not cache.exists():
                raise SystemExit(f"no AOT cache of {words}")
            commands[words] = [*plain, f"-XX:AOTCache={cache}", main_class, *LINE]
        times = {words: [] for words in commands}
        for _ in range(rounds):
            for words, command in commands.items():
                times[words].append(timed(command))
    count = sum(len(options) for _, options in verbs)
    print(f"{len(verbs)} verbs with {count} options, picocli {PICOCLI}, {rounds} rounds\n")
    print("| | wall clock, ms | above nothing | above ours | processor, ms |\n|---|---|---|---|---|")
    middle = {words: [statistics.median(column) for column in zip(*all_times)] for words, all_times in times.items()}
    for words, (wall, used) in middle.items():
        print(f"| {words} | {wall:.0f} | {wall - middle['nothing'][0]:.0f} | {wall - middle['ours'][0]:.0f} | {used:.0f} |")


if __name__ == "__main__":
    main()
