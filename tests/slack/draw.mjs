// Draws messages as a person sees them: reads [{name, blocks}] from a file, writes NAME.html files.
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [modules, out, list] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const React = require("react");
const { renderToStaticMarkup } = require("react-dom/server");
const { Message } = require("slack-blocks-to-jsx");
const style = readFileSync(join(modules, "node_modules/slack-blocks-to-jsx/dist/style.css"), "utf8");

for (const { name, blocks } of JSON.parse(readFileSync(list, "utf8"))) {
  const drawn = React.createElement(Message, {
    name: "gpu-bot", logo: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='36' height='36'>" +
      "<rect width='36' height='36' rx='6' fill='%231f3a2d'/><text x='18' y='24' font-size='14' fill='white' " +
      "text-anchor='middle' font-family='sans-serif'>GPU</text></svg>",
    time: new Date("2026-11-30T09:00:00Z"), blocks, hooks: {},
  });
  const html = renderToStaticMarkup(drawn);
  writeFileSync(join(out, `${name}.html`), `<!doctype html><meta charset="utf-8"><style>${style}
    body { margin: 0; padding: 16px; width: 720px; font-family: Lato, "Noto Sans", "Noto Sans CJK SC", sans-serif; }</style>${html}`);
}
