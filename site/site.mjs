// Makes the site: every page of docs as HTML, with a menu, into the folder that is named. Ends with 1 and a line for each
// link that leads nowhere: to a file that is not there, or to a heading that its page does not have.
//
//   node site.mjs FOLDER
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";
import { GROUPS } from "./pages.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const out = process.argv[2];
if (!out) {
    console.error("site: the folder to write to is missing");
    process.exit(2);
}
const mistakes = [];

const listed = GROUPS.flatMap(([, pages]) => pages);
const decisions = fs.readdirSync(path.join(root, "docs/adr")).filter((name) => name.endsWith(".md")).sort();
const groups = [...GROUPS, ["Decisions", decisions.map((name) => `docs/adr/${name}`)]];
for (const name of fs.readdirSync(path.join(root, "docs"))) {
    if (name.endsWith(".md") && !listed.includes(`docs/${name}`)) mistakes.push(`docs/${name} is in no group of site/pages.mjs`);
}

const escape = (text) => text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
// As GitHub names the headings of a page, so that a link means the same in both places.
const anchor = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");
// Those of docs by their names; of the others the folder stands in the name, as docs may have one that is called alike.
const target = (page) => {
    if (page === "README.md") return "index.html";
    const name = page.startsWith("docs/") ? page.slice("docs/".length) : `project/${page}`;
    return name.slice(0, -".md".length).replaceAll("/", "-").toLowerCase() + ".html";
};

/** The tokens of a page, its title, the anchors of its headings, and its second-level headings for the menu. */
function read(page) {
    const file = path.join(root, page);
    if (!fs.existsSync(file)) {
        mistakes.push(`site/pages.mjs names ${page}, which is not there`);
        return null;
    }
    const marked = new Marked();
    const tokens = marked.lexer(fs.readFileSync(file, "utf8"));
    const anchors = new Map();
    const headings = [];
    marked.walkTokens(tokens, (token) => {
        if (token.type !== "heading") return;
        const plain = token.text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
        let name = anchor(plain);
        for (let n = 1, first = name; anchors.has(name); n++) name = `${first}-${n}`;
        anchors.set(name, token);
        token.anchor = name;
        headings.push({ depth: token.depth, name, text: plain });
    });
    return { page, tokens, anchors, headings, title: headings[0]?.text ?? page };
}

const pages = new Map(groups.flatMap(([, names]) => names).map((name) => [name, read(name)]));
const files = new Set();

/** Where a link of a page leads on the site; a file of the repository is copied beside the pages, a folder (null) is not. */
function follow(page, href) {
    if (/^(https?:|mailto:)/.test(href)) return href;
    const [place, name] = href.split("#");
    const found = place === "" ? page : path.posix.normalize(path.posix.join(path.posix.dirname(page), decodeURI(place)));
    const other = pages.get(found) ?? pages.get(path.posix.join(found, "README.md"));
    if (other) {
        if (name && !other.anchors.has(name)) mistakes.push(`${page}: ${href}: ${found} has no heading '${name}'`);
        return (place === "" ? "" : target(other.page)) + (name ? `#${name}` : "");
    }
    const file = path.join(root, found);
    if (found.startsWith("..") || !fs.existsSync(file)) mistakes.push(`${page}: ${href}: there is no ${found}`);
    else if (fs.statSync(file).isDirectory()) return null;
    else files.add(found);
    return `files/${found}`;
}

function render(page) {
    const marked = new Marked();
    marked.use({
        renderer: {
            heading({ tokens, depth, anchor: name }) {
                return `<h${depth} id="${name}">${this.parser.parseInline(tokens)} <a class="here" href="#${name}" aria-label="Link to this part">#</a></h${depth}>\n`;
            },
            link({ href, title, tokens }) {
                const words = title ? ` title="${escape(title)}"` : "";
                const text = this.parser.parseInline(tokens);
                const place = follow(page.page, href);
                return place === null ? text : `<a href="${escape(place)}"${words}>${text}</a>`;
            },
            image({ href, text }) {
                return `<img src="${escape(follow(page.page, href))}" alt="${escape(text)}">`;
            },
            table(token) {
                const cells = (row, tag) => row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
                const body = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
                return `<div class="wide"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>${body}</tbody></table></div>\n`;
            },
        },
    });
    return marked.parser(page.tokens);
}

function menu(now) {
    return groups
        .map(([title, names]) => {
            const rows = names
                .map((name) => pages.get(name))
                .filter((page) => page !== null)
                .map((page) => {
                    const current = page === now ? ' aria-current="page"' : "";
                    return `<li><a href="${target(page.page)}"${current}>${escape(page.page === "README.md" ? "What it is" : page.title)}</a></li>`;
                });
            const open = names.includes(now.page) || title !== "Decisions" ? " open" : "";
            return `<details${open}><summary>${title}</summary><ul>${rows.join("")}</ul></details>`;
        })
        .join("\n");
}

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });
for (const page of pages.values()) {
    if (page === null) continue;
    const parts = page.headings.filter(({ depth }) => depth === 2);
    const contents = parts.map(({ name, text }) => `<li><a href="#${name}">${escape(text)}</a></li>`).join("");
    const title = page.page === "README.md" ? "Fairlead" : `${page.title} - Fairlead`;
    fs.writeFileSync(
        path.join(out, target(page.page)),
        `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<nav aria-label="Pages"><a class="home" href="index.html">Fairlead</a>
${menu(page)}
</nav>
<main>
${render(page)}</main>
<aside aria-label="On this page">${contents ? `<p>On this page</p><ul>${contents}</ul>` : ""}</aside>
</body>
</html>
`,
    );
}
for (const file of files) {
    fs.mkdirSync(path.dirname(path.join(out, "files", file)), { recursive: true });
    fs.copyFileSync(path.join(root, file), path.join(out, "files", file));
}
fs.copyFileSync(path.join(root, "site/style.css"), path.join(out, "style.css"));
for (const mistake of mistakes) console.error(`site: ${mistake}`);
if (mistakes.length > 0) process.exit(1);
console.log(`site: ${pages.size} pages in ${path.relative(process.cwd(), out) || "."}, every link leads somewhere`);
