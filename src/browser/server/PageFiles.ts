import { Effect, Schema } from "effect"
import { fork } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { ownText } from "../../platform/text/Utf8.ts"
import { builtFolder, type PageName } from "../build/place.ts"

/** The build's list of its files. */
const Manifest = Schema.Struct({
  /** The module that begins, and those that it imports at once. */
  entry: Schema.String,
  preloads: Schema.Array(Schema.String),
  /** The script that runs before the first paint. */
  start: Schema.String,
  style: Schema.String,
  /** The modules of each view, beside those of the entry, by its path below the page's root: `lessons/:lesson`. */
  views: Schema.Array(Schema.Struct({ path: Schema.String, files: Schema.Array(Schema.String) })),
  files: Schema.Array(Schema.String)
})

/** One file as browsers get it. */
export interface PageFile {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Everything that a page loads. */
export interface PageFiles {
  /** The files that the page names, by address. */
  readonly page: Omit<typeof Manifest.Type, "files">
  readonly files: ReadonlyMap<string, PageFile>
}

const fits = (pattern: string, path: string) => {
  const [wanted, parts] = [pattern.split("/"), path.split("/")]
  return wanted.length === parts.length && wanted.every((part, n) => part.startsWith(":") || part === parts[n])
}

/**
 * The header by which a browser loads everything that the view at this path needs while it reads the document, in this
 * order. A path without a view needs the page's own files alone.
 */
export const preloadHeader = ({ entry, preloads, start, style, views }: PageFiles["page"], path: string): string => {
  const modules = [entry, ...preloads, ...views.find((view) => fits(view.path, path))?.files ?? []]
  return [
    `<${start}>; rel="preload"; as="script"`,
    `<${style}>; rel="preload"; as="style"`,
    ...modules.map((file) => `<${file}>; rel="modulepreload"`)
  ].join(", ")
}

const readManifest = Schema.decodeUnknownPromise(Schema.fromJsonString(Manifest))

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8"
}

const typeOf = (name: string) => types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream"

/** Builds in a process of its own. It takes half a second, and its hundred megabytes end with it. */
const build = (program: URL, folder: string) =>
  new Promise<void>((resolve, reject) => {
    const args = ["pages", folder]
    const child = fork(fileURLToPath(program), args, { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] })
    child.once("error", reject)
    child.once("exit", (code) => code === 0 ? resolve() : reject(new Error(`The pages could not be built: ${code}`)))
  })

const load = async (program: URL, page: PageName): Promise<PageFiles> => {
  const all = builtFolder()
  if (!existsSync(all)) await build(program, all)
  const folder = join(all, page)
  const { files, ...names } = await readManifest(await readFile(join(folder, "manifest.json")).then(ownText))
  const read = files.map(async (name) =>
    [name, { contentType: typeOf(name), bytes: await readFile(join(folder, name)) }] as const
  )
  return { page: names, files: new Map(await Promise.all(read)) }
}

/**
 * The files of a page. `program` builds them at the first request, if no build exists. After a failure the next request
 * tries again.
 */
export const makePageFiles = (program: URL, page: PageName): Effect.Effect<PageFiles, TemporarilyUnavailable> => {
  let loading: Promise<PageFiles> | undefined
  const once = () => {
    loading ??= load(program, page).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return Effect.tryPromise(once).pipe(
    Effect.tapError((error) => Effect.logError(`The files of the ${page} are not there`, error)),
    Effect.mapError(() => new TemporarilyUnavailable())
  )
}
