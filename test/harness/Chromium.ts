import { Effect } from "effect"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { install, mayInstall } from "./Packages.ts"

/** Chromium without a window: the same engine, and a page takes half the time. */
const shell = "chromium-headless-shell"

const whole = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]

const lookUp = (names: ReadonlyArray<string>) =>
  Effect.sync((): string | undefined => {
    const folders = (process.env["PATH"] ?? "").split(delimiter)
    const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
    return process.env["TEST_CHROMIUM"] ?? places.find((place) => existsSync(place))
  })

/** The advice for a machine without a browser. */
export const howToGetChromium =
  "install chromium (Debian: apt-get install chromium-headless-shell), or name one in TEST_CHROMIUM"

/** The program of Chromium. On Debian, root installs it. Without it, one line says so. */
export const findChromium = Effect.gen(function*() {
  const there = yield* lookUp([shell])
  if (there !== undefined) return there
  if (mayInstall()) yield* Effect.ignore(install(shell))
  return yield* lookUp([shell, ...whole])
}).pipe(Effect.tap((found) =>
  Effect.sync(() => {
    if (found === undefined) process.stderr.write(`No browser, so its tests are skipped: ${howToGetChromium}\n`)
  })
))
