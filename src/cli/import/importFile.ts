import { ByteSize, Effect, FileSystem, Schedule } from "effect"
import { withIdempotencyKey } from "../../Client.ts"
import { ImportId } from "../../membership/students/import/Import.ts"
import { CommandFailure, QuietEnd } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { unreadable } from "../errors/Unreadable.ts"
import { UsageError } from "../errors/UsageError.ts"
import { textAt, type Thing } from "../output/Json.ts"
import { outputForm, printFields, rowPrinter, writeJson } from "../output/Print.ts"
import { progress } from "../output/Progress.ts"
import { note, write } from "../output/Write.ts"
import { eachPage, oneOf, pageOf } from "../remote/Answers.ts"
import { bare, connection, parseId } from "../remote/Connection.ts"
import { onceOnly } from "../remote/Once.ts"
import { untilDone } from "../remote/run.ts"
import { at } from "../remote/Shown.ts"

const largest = ByteSize.mebibytes(4)

const fields = [
  at("Import", "id"),
  at("Dry run", "dry_run"),
  at("Rows", "total"),
  at("Created", "created"),
  at("Known already", "existing"),
  at("Accesses given", "granted"),
  at("Wrong", "failed"),
  at("Columns left out", "unknown_columns")
]

const errorColumns = [at("LINE", "line"), at("COLUMN", "field"), at("WHAT", "code"), at("WHY", "message")]

const readFile = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const { size } = yield* Effect.mapError(fs.stat(file), unreadable(file))
  if (size > largest) return yield* new UsageError({ message: `${file} is larger than 4 MiB: divide it` })
  return yield* Effect.mapError(fs.readFile(file), unreadable(file))
})

/** The service goes on with its import while it cannot be asked, so it is asked again for a while. */
const again = {
  while: (error: unknown) => error instanceof CommandFailure && error.exit_code === exitCodes.unavailable.code,
  schedule: Schedule.spaced("2 seconds"),
  times: 60
}

/** Looks until every row is worked through, and shows how far it is. */
const untilCompleted = Effect.fnUntraced(function*<E, R>(begun: Thing, look: Effect.Effect<Thing, E, R>) {
  const bar = yield* progress
  const show = (found: Thing) => bar.show(Number(textAt(found, "processed")), Number(textAt(found, "total")))
  const watched = Effect.gen(function*() {
    yield* show(begun)
    let found = begun
    while (textAt(found, "status") !== "completed") {
      yield* Effect.sleep("500 millis")
      found = yield* Effect.retry(look, again)
      yield* show(found)
    }
    return found
  })
  return yield* Effect.ensuring(watched, Effect.ignore(bar.clear))
})

type LoadErrors<E, R> = Parameters<typeof eachPage<E, R, never, never>>[1]

const printResult = Effect.fnUntraced(function*<E, R>(found: Thing, load: LoadErrors<E, R>) {
  const form = yield* outputForm
  if (form === "json" || form === "jsonl") {
    const errors: Array<Thing> = []
    yield* eachPage({ all: true, limit: 0 }, load, (page) => Effect.sync(() => void errors.push(...page)))
    return yield* writeJson({ import: found, errors })
  }
  yield* printFields(fields, found)
  if (textAt(found, "failed") === "0") return
  yield* write("\n")
  const printer = yield* rowPrinter(errorColumns, "")
  yield* eachPage({ all: true, limit: 0 }, load, printer.page)
  yield* printer.end
})

/** `turma import`: the service goes on with what it has got, also where nobody waits for it. */
export const importFile = ({ dryRun, file }: { readonly file: string; readonly dryRun: boolean }) =>
  untilDone(Effect.gen(function*() {
    const payload = yield* readFile(file)
    const { client, club, url } = yield* connection
    const clubId = yield* club
    const key = yield* onceOnly
    const sent = client.studentImports.create({
      params: { clubId },
      query: { dry_run: dryRun ? "true" : "false" },
      payload,
      ...bare
    }).pipe(withIdempotencyKey(key))
    const begun = yield* oneOf(url, sent)
    const importId = yield* parseId(ImportId, textAt(begun, "id"), "an import")
    const params = { clubId, importId }
    const found = yield* untilCompleted(begun, oneOf(url, client.studentImports.get({ params, ...bare })))
      .pipe(Effect.onError(() =>
        Effect
          .ignore(note(`The service goes on with it: npx turma api GET /v1/clubs/{clubId}/students/imports/${importId}`))
      ))
    yield* printResult(found, (query) => pageOf(url, client.studentImports.errors({ params, query, ...bare })))
    if (textAt(found, "failed") !== "0") return yield* new QuietEnd({ exit_code: exitCodes.failed.code })
  }))
