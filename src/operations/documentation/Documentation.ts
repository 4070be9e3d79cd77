import { Clock, Context, Duration, Effect, Layer } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { waitsOutside } from "../../platform/http/request/OutsideWaits.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { foundList, indexOf, search, type SearchIndex } from "./Search.ts"
import type { Rest } from "./Site.ts"
import type { SiteFile } from "./SiteFile.ts"

/** A message of the process that makes the documentation: a file, and at its end everything else. */
export type Said = { readonly file: SiteFile } | { readonly rest: Rest }

/** The input of the process, as JSON. */
export interface Wanted {
  readonly baseUrl: string
  readonly first: string
}

interface Made extends Rest {
  readonly index: SearchIndex
}

/** It takes a second; a process that takes this long does not work any longer. */
const usualPatience = Duration.seconds(20)

/** Between two tries. */
const pause = Duration.seconds(5)

/** The documentation during its build, and afterwards. */
class Making {
  private readonly files = new Map<string, SiteFile>()
  private readonly waiting = new Set<() => void>()
  private isHeard = false
  private rest: Made | undefined
  private failure: Error | undefined

  private tell() {
    for (const look of this.waiting) look()
  }

  hear(said: Said) {
    if ("file" in said) this.files.set(said.file.address, said.file)
    else this.read(said.rest)
    this.tell()
  }

  /** The files are complete. The index for the search is built here, some entries at a time. */
  private read(rest: Rest) {
    this.isHeard = true
    indexOf(rest.entries).then((index) => {
      this.rest = { ...rest, index }
    }, (cause: unknown) => {
      this.failure = new Error("The search of the documentation could not be built", { cause })
    }).finally(() => this.tell())
  }

  /** The process has ended. Without the rest it has failed, and all waiting requests fail. */
  end(error: Error) {
    if (this.isHeard || this.failure !== undefined) return
    this.failure = error
    this.tell()
  }

  get failedWith() {
    return this.failure
  }

  /** The result of `look`, as soon as it is there; undefined if it is not there at the end of the build. */
  private until<A>(look: () => A | undefined): Effect.Effect<A | undefined, TemporarilyUnavailable> {
    // The process has a limit of its own, which is longer than requests may wait for the database.
    return waitsOutside(Effect.callback<A | undefined, TemporarilyUnavailable>((resume) => {
      const again = () => {
        const found = look()
        if (found !== undefined || this.rest !== undefined) resume(Effect.succeed(found))
        else if (this.failure !== undefined) resume(Effect.fail(new TemporarilyUnavailable()))
        else return
        this.waiting.delete(again)
      }
      this.waiting.add(again)
      again()
      return Effect.sync(() => this.waiting.delete(again))
    }))
  }

  file(address: string) {
    return this.until(() => this.files.get(address))
  }

  get all(): Effect.Effect<Made, TemporarilyUnavailable> {
    return Effect.flatMap(
      this.until(() => this.rest),
      (rest) => rest === undefined ? Effect.fail(new TemporarilyUnavailable()) : Effect.succeed(rest)
    )
  }
}

/**
 * The pages of the documentation and the document of the contract. A process of its own makes them at the first
 * request. That takes most of a second of a processor and a hundred megabytes, which are free again afterwards, and
 * nobody else waits for it. A thread would leave 60 MB behind.
 */
export class Documentation extends Context.Service<Documentation, {
  /** The file at this address; undefined if there is no such page. */
  file(address: string): Effect.Effect<SiteFile | undefined, TemporarilyUnavailable>
  /** The page for an address that does not exist. */
  readonly missing: Effect.Effect<string, TemporarilyUnavailable>
  /** The results of a search: a page, or the list alone. */
  found(question: string, part: "page" | "list"): Effect.Effect<string, TemporarilyUnavailable>
}>()("turma/operations/documentation/Documentation") {
  /** `program` runs in the process, with the arguments `documentation` and its input. */
  static readonly layer = (program: URL, patience: Duration.Duration = usualPatience) =>
    Layer.effect(
      Documentation,
      Effect.gen(function*() {
        const { api } = yield* PublicUrls
        const baseUrl = api.href.replace(/\/$/, "")
        const children = new Set<ChildProcess>()
        yield* Effect.addFinalizer(() => Effect.sync(() => children.forEach((child) => child.kill("SIGKILL"))))
        let current: Making | undefined
        let begun = 0

        const begin = (first: string): Making => {
          const making = new Making()
          const wanted: Wanted = { baseUrl, first }
          const child = fork(fileURLToPath(program), ["documentation", JSON.stringify(wanted)], {
            execArgv: [],
            serialization: "advanced"
          })
          children.add(child)
          const impatient = setTimeout(() => child.kill("SIGKILL"), Duration.toMillis(patience)).unref()
          child.on("message", (said: Said) => making.hear(said))
          child.once("error", (error) => making.end(error))
          child.once("exit", (code, signal) => {
            clearTimeout(impatient)
            children.delete(child)
            making.end(new Error(`The process that makes the documentation ended with ${signal ?? code}`))
          })
          return making
        }

        const making = Effect.fnUntraced(function*(first: string) {
          const now = yield* Clock.currentTimeMillis
          const failure = current?.failedWith
          if (current !== undefined && (failure === undefined || now < begun + Duration.toMillis(pause))) return current
          if (failure !== undefined) yield* Effect.logError("The documentation could not be built", failure)
          begun = now
          return current = begin(first)
        })

        return Documentation.of({
          file: (address) => Effect.flatMap(making(address), (one) => one.file(address)),
          missing: Effect.map(Effect.flatMap(making(""), (one) => one.all), ({ missing }) => missing),
          found: (question, part) =>
            Effect.map(Effect.flatMap(making(""), (one) => one.all), ({ found, index }) => {
              const list = foundList(question, search(index, question)).text
              return part === "list" ? list : `${found.before}${list}${found.after}`
            })
        })
      })
    )
}
