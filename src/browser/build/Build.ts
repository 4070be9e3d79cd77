import { createHash } from "node:crypto"
import { globSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type OutputChunk, rolldown } from "rolldown"
import { ownText } from "../../platform/text/Utf8.ts"
import { type PageName, pageNames, sourceFolder } from "./place.ts"

/** The sheets that others build on, in this order: those of every page, then the browser's. The others follow by name. */
const foundation = [
  "platform/pages/style/tokens.css",
  "platform/pages/style/base.css",
  "browser/style/tokens.css",
  "browser/style/base.css",
  "browser/style/parts.css"
]

/** Sheets of packages that a page shows things with. */
const ofPackages: Readonly<Record<PageName, ReadonlyArray<string>>> = {
  classroom: [],
  console: ["uplot/dist/uPlot.min.css"]
}

const styleSheet = async (page: PageName) => {
  const own = [`${page}/style/tokens.css`, `${page}/style/shell.css`]
  const others = globSync(["browser/style/*.css", `${page}/style/*.css`], { cwd: sourceFolder }).toSorted()
  const files = new Set([...foundation, ...own, ...others])
  const texts = await Promise.all([
    ...ofPackages[page].map((sheet) => fileURLToPath(import.meta.resolve(sheet))),
    ...[...files].map((file) => join(sourceFolder, file))
  ].map((file) => readFile(file).then(ownText)))
  return texts.join("\n").replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/\s+/g, " ").replaceAll(/ ?([{};,>]) ?/g, "$1")
}

const nameOf = (name: string, extension: string, text: string) =>
  `${name}-${createHash("sha256").update(text).digest("base64url").slice(0, 10)}.${extension}`

/** The modules of one file: those that several views share. Many small files would cost a phone a round trip each. */
const sharedModules = {
  groups: [{
    name: "shared",
    test: /src\/(?:browser\/(?:client|parts)|classroom\/club|console\/club|sdk)\/|node_modules\/@?preact\//,
    minShareCount: 3
  }]
}

const bundle = async (input: Record<string, string>, format: "esm" | "iife") => {
  const made = await rolldown({
    input: Object.fromEntries(Object.entries(input).map(([name, file]) => [name, join(sourceFolder, file)])),
    platform: "browser",
    tsconfig: false,
    transform: {
      define: { "process.env.NODE_ENV": JSON.stringify("production") },
      jsx: { runtime: "automatic", importSource: "preact" }
    }
  })
  const { output } = await made.generate({
    format,
    minify: true,
    ...(format === "esm" ? { codeSplitting: sharedModules } : {}),
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

const listedView = /\{ path: "([^"]*)", load: \(\) => import\("([^"]+)"\) \}/g

/** The views of a page, as its `Views.ts` lists them: the path below the page's root, and the module. */
const viewsOf = async (page: PageName) => {
  const text = ownText(await readFile(join(sourceFolder, page, "app/Views.ts")))
  return [...text.matchAll(listedView)].map(([, path = "", module = ""]) => ({
    path,
    module: join(sourceFolder, page, "app", module)
  }))
}

/** The files of these chunks and of all that they import at once, without those that are there already. */
const filesWith = (chunks: ReadonlyMap<string, OutputChunk>, names: ReadonlyArray<string>, there: Set<string>) => {
  const found: Array<string> = []
  for (const name of names) {
    if (there.has(name)) continue
    there.add(name)
    found.push(name, ...filesWith(chunks, chunks.get(name)?.imports ?? [], there))
  }
  return found
}

const buildPage = async (page: PageName, folder: string) => {
  await mkdir(folder, { recursive: true })
  const modules = await bundle({ [page]: `${page}/app/main.tsx` }, "esm")
  const start = entryOf(await bundle({ start: `${page}/app/start.ts` }, "iife"), "start")
  const style = await styleSheet(page)
  const styleName = nameOf(page, "css", style)
  const entry = entryOf(modules, page)
  const files = new Map([
    ...modules.map(({ code, fileName }) => [fileName, code] as const),
    [start.fileName, start.code] as const,
    [styleName, style] as const
  ])
  await Promise.all([...files].map(([name, text]) => writeFile(join(folder, name), text)))
  const address = (name: string) => `/${page}/assets/${name}`
  const chunks = new Map(modules.map((chunk) => [chunk.fileName, chunk]))
  const views = (await viewsOf(page)).map(({ module, path }) => {
    const chunk = modules.find(({ facadeModuleId }) => facadeModuleId === module)
    if (chunk === undefined) throw new Error(`No file was built from ${module}`)
    return {
      path,
      files: filesWith(chunks, [chunk.fileName], new Set([entry.fileName, ...entry.imports])).map(address)
    }
  })
  const manifest = {
    entry: address(entry.fileName),
    preloads: entry.imports.map(address),
    start: address(start.fileName),
    style: address(styleName),
    views,
    files: [...files.keys()]
  }
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest))
}

/** Makes a folder for each page in this one: modules of a view each, a style sheet, and a list of them. */
export const buildPages = async (folder: string): Promise<void> => {
  await Promise.all(pageNames.map((page) => buildPage(page, join(folder, page))))
}
