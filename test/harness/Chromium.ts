import { Effect } from "effect"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { install, mayInstall } from "./Packages.ts"

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]

const lookUp = Effect.sync((): string | undefined => {
  const given = process.env["TEST_CHROMIUM"]
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return given ?? places.find((place) => existsSync(place))
})

/** What to say where there is no browser. */
export const howToGetChromium = "install chromium (Debian: apt-get install chromium), or name one in TEST_CHROMIUM"

/** A program that is Chromium; root on Debian gets it installed. None where there is none, which is said in one line. */
export const findChromium = Effect.gen(function*() {
  const there = yield* lookUp
  if (there !== undefined || !mayInstall()) return there
  yield* Effect.ignore(install("chromium"))
  return yield* lookUp
}).pipe(
  Effect.tap((found) =>
    Effect.sync(() => {
      if (found === undefined) process.stderr.write(`No browser, so its tests are skipped: ${howToGetChromium}\n`)
    })
  )
)
