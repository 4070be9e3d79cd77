import { createHash } from "node:crypto"
import { globSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type OutputChunk, rolldown } from "rolldown"
import { ownText } from "../../platform/text/Utf8.ts"
import { consoleFolder } from "./place.ts"

const assets = "/console/assets"

/** The sheets that others build on, in this order: those of every page, then the console's. The others follow by name. */
const foundation = [
  "../platform/pages/style/tokens.css",
  "../platform/pages/style/base.css",
  "style/tokens.css",
  "style/base.css",
  "style/parts.css",
  "style/shell.css"
]

const styleSheet = async () => {
  const files = new Set([...foundation, ...globSync("style/*.css", { cwd: consoleFolder }).toSorted()])
  const own = [...files].map((file) => readFile(join(consoleFolder, file)).then(ownText))
  const texts = await Promise.all([
    readFile(fileURLToPath(import.meta.resolve("uplot/dist/uPlot.min.css"))).then(ownText),
    ...own
  ])
  return texts.join("\n").replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/\s+/g, " ").replaceAll(/ ?([{};,>]) ?/g, "$1")
}

const nameOf = (name: string, extension: string, text: string) =>
  `${name}-${createHash("sha256").update(text).digest("base64url").slice(0, 10)}.${extension}`

const bundle = async (input: Record<string, string>, format: "esm" | "iife") => {
  const made = await rolldown({
    input: Object.fromEntries(Object.entries(input).map(([name, file]) => [name, join(consoleFolder, file)])),
    platform: "browser",
    transform: { define: { "process.env.NODE_ENV": JSON.stringify("production") } }
  })
  const { output } = await made.generate({
    format,
    minify: true,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js"
  })
  await made.close()
  return output.filter((file): file is OutputChunk => file.type === "chunk")
}

const entryOf = (chunks: ReadonlyArray<OutputChunk>, name: string) => {
  const found = chunks.find((chunk) => chunk.isEntry && chunk.name === name)
  if (found === undefined) throw new Error(`Nothing was built from ${name}`)
  return found
}

/** Makes the console's files in this folder: modules of a view each, a style sheet, and a list of them. */
export const buildConsole = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const modules = await bundle({ console: "app/main.tsx" }, "esm")
  const start = entryOf(await bundle({ start: "app/start.ts" }, "iife"), "start")
  const style = await styleSheet()
  const styleName = nameOf("console", "css", style)
  const entry = entryOf(modules, "console")
  const files = new Map([
    ...modules.map(({ code, fileName }) => [fileName, code] as const),
    [start.fileName, start.code] as const,
    [styleName, style] as const
  ])
  await Promise.all([...files].map(([name, text]) => writeFile(join(folder, name), text)))
  const address = (name: string) => `${assets}/${name}`
  const manifest = {
    entry: address(entry.fileName),
    preloads: entry.imports.map(address),
    start: address(start.fileName),
    style: address(styleName),
    files: [...files.keys()]
  }
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest))
}
