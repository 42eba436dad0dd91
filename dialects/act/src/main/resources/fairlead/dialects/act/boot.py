import base64, json, os, sys, types, zlib
PARTS = json.loads(zlib.decompress(base64.b64decode(os.environ["FAIRLEAD_ACT_RUNNER"])).decode("utf-8"))
for name in ("blobs", "processes", "unpack", "mounts", "meeting", "ranks", "runner"):
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(PARTS[name], name + ".py", "exec"), module.__dict__)
sys.exit(sys.modules["runner"].main(sys.argv[1:]))
