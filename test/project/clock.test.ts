import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

// Irreversible effects of time need the guard of the clock. A test cannot prove that from a text, but it finds files
// that may lack it. They have a statement that deletes or ends rows by age, or an endless loop. Each must name the
// guard, or stand in a list here with its other guard.

const root = resolve(import.meta.dirname, "../..")

const source =
  new Map(globSync("src/**/*.ts", { cwd: root }).map((path) => [path, readFileSync(join(root, path), "utf8")] as const))

const withoutComments = (text: string) => text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/(?<!:)\/\/.*$/gm, "")

/** The text of each statement, including statements nested in its holes. */
const statements = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const { index } of text.matchAll(/\bsql`/g)) {
    let end = index + 4
    let depth = 0
    for (; end < text.length; end++) {
      if (text.startsWith("${", end)) depth += 1
      else if (text[end] === "}" && depth > 0) depth -= 1
      else if (text[end] === "`" && depth === 0) break
    }
    found.push(text.slice(index, end))
  }
  return found
}

/** A column with a time or a day that is compared with a moment as its upper bound. */
const pastAge = /\b\w*(?:_at|_until|_since|day|expires)\s*<=?\s*\$\{/

const ends =
  /\bdelete from\b|\bdrop table\b|\bset\b[^]*\b(?:status|cancel_reason|raw|closed_at|lapse_noted|outcome)\s*=/

/** True if one of its statements deletes or ends rows past an age. */
const endsByAge = (text: string) =>
  statements(withoutComments(text)).some((statement) => ends.test(statement) && pastAge.test(statement))

const goesOn = (text: string) =>
  /Schedule\.(?:spaced\(|forever)|Effect\.forever\b|\brepeatedly\(|\bwhile \(!\(yield\* Deferred\.isDone/
    .test(withoutComments(text))

/** `sweepOf` asks the guard before each of its sweeps. */
const namesGuard = (text: string) => /\bClockGuard\b|\bsweepOf\(/.test(text)

/** True if it charges or credits a club, which is never reversed. */
const charges = (text: string) =>
  /(?:\binvoices\.(?:issue|credit)\(|\bledger\.(?:issue|enter)\(|\boverages\.settle\(|\bcreditRest\(\{ changes)/
    .test(withoutComments(text))

const readsClock = (text: string) => /\bDateTime\.now\b|\bClock\.currentTime/.test(withoutComments(text))

const unguarded = (files: ReadonlyMap<string, string>, finds: (text: string) => boolean) =>
  [...files].filter(([, text]) => finds(text) && !namesGuard(text)).map(([path]) => path).toSorted()

/** Files that end rows by age behind a guard in another file. */
const guardedElsewhere: Record<string, string> = {
  "src/assistant/material/documents/DocumentsRepo.ts": "a reading that is taken over, by a batchWorker",
  "src/commerce/billing/stripe/mirror/CheckoutsRepo.ts": "Inbox.sweep",
  "src/commerce/billing/stripe/queue/EventsRepo.ts": "Inbox.sweep",
  "src/webhooks/history/recovery/MovesRepo.ts": "a batchWorker, and deletes what it has counted",
  "src/webhooks/workbench/play/PlayRepo.ts": "Inboxes",
  "src/webhooks/engine/retention/RetentionRepo.ts": "Retention"
}

/** Loops that end nothing by age, or that end only rows from a guarded loop. */
const harmless: Record<string, string> = {
  "src/platform/sql/Migrations.ts": "tries a migration again while its tables are in use, and ends",
  "src/platform/sql/Resealing.ts": "waits until it is asked, and moves what is sealed, of whatever age",
  "src/assistant/ask/answers/Answers.ts": "an answer in the making looks whether it was canceled",
  "src/assistant/material/changes/MaterialChanges.ts": "a request waits a moment for what it has changed",
  "src/assistant/material/documents/Pdf.ts": "a request waits for its thread",
  "src/assistant/replies/ReplyLeases.ts": "a request waits for its turn",
  "src/membership/accounts/AddressSpellings.ts": "writes addresses in another spelling, of whatever age",
  "src/membership/accounts/CredentialWorker.ts": "a batchWorker, and sweeps of SessionStore and OneTimeTokens",
  "src/membership/accounts/OrphanedMailFiles.ts": "deletes with whom the database says is gone, of whatever age",
  "src/commerce/billing/stripe/StripeGauges.ts": "counts",
  "src/cli/demo/Folder.ts": "a command",
  "src/cli/demo/Waits.ts": "a command",
  "src/cli/webhooks/forward/Forwarder.ts": "a command",
  "src/cli/login/byBrowser.ts": "a command",
  "src/cli/import/importFile.ts": "a command",
  "src/cli/webhooks/endpoints/endpoints.ts": "a command",
  "src/commerce/sales/inbound/InboundGauges.ts": "counts",
  "src/platform/jobs/Repeatedly.ts": "whoever calls it names the guard",
  "src/platform/jobs/WorkWatch.ts": "says that there is work, to whoever names the guard",
  "src/platform/sql/Connections.ts": "looks whether statements are answered",
  "src/platform/sql/EmbeddedPostgres.ts": "the start of a server",
  "src/platform/sql/LostConnections.ts": "asks whether connections are known",
  "src/platform/jobs/PlannerStatistics.ts": "counts tables",
  "src/platform/sql/SupervisedPostgres.ts": "a server is started again",
  "src/platform/storage/local/LocalFiles.ts": "the sweep is UploadSweep's",
  "src/operations/telemetry/RepeatedLines.ts": "forgets lines of the log",
  "src/operations/backup/ErasureWorker.ts": "writes who was removed beside the backups",
  "src/webhooks/WebhookGauges.ts": "counts",
  "src/webhooks/engine/lane/listenTo.ts": "listens",
  "src/webhooks/listener/PollWaits.ts": "requests wait until lanes were woken",
  "src/webhooks/events/feed/FeedWaits.ts": "requests wait until there are events",
  "src/webhooks/send/Deadlines.ts": "ends requests in time, by a clock that nobody sets",
  "src/webhooks/engine/dispatch/WebhookDispatcher.ts": "every statement is LanesRepo's",
  "src/webhooks/engine/retention/Retention.ts": "its parts"
}

/** Files that charge and read the clock, each with the other purpose of that reading. */
const readsForElse: Record<string, string> = {
  "src/commerce/billing/local/LocalBilling.ts": "its status",
  "src/commerce/billing/local/LocalInvoices.ts": "when a line was written",
  "src/commerce/billing/stripe/mirror/Overages.ts": "its tick, which the worker sweeps with"
}

/** They must not read the clock. Their moment comes from the guard (`rightNow` or `sweep`), or from the caller. */
const chargesByItself = (files: ReadonlyMap<string, string>) =>
  [...files].filter(([, text]) => charges(text) && readsClock(text)).map(([path]) => path).toSorted()

describe("what the clock charges", () => {
  it("is charged by a moment that the guard of the clock gave", () => {
    const found = chargesByItself(source)
    assert.deepStrictEqual(found, Object.keys(readsForElse), "These charge and read the clock: see ClockGuard.rightNow")
  })

  it("is known to be charged in these places", () => {
    const found = [...source].filter(([, text]) => charges(text)).map(([path]) => path)
    assert.includeMembers(found, [
      "src/commerce/billing/local/PeriodClose.ts",
      "src/commerce/billing/local/Plans.ts",
      "src/commerce/billing/stripe/mirror/Credit.ts",
      "src/commerce/billing/stripe/mirror/Mirror.ts"
    ])
  })

  it("would be found, whatever else of the file asks the guard", () => {
    const text = "const now = yield* DateTime.now\nyield* invoices.issue(club_id, periodAt(anchor, now), charges)"
    const files = new Map([["src/Thing.ts", `${text}\nyield* ClockGuard`]])
    assert.deepStrictEqual(chargesByItself(files), ["src/Thing.ts"])
  })
})

describe("what the clock ends", () => {
  it("is ended behind the guard of the clock", () => {
    const found = unguarded(source, endsByAge).filter((path) => guardedElsewhere[path] === undefined)
    assert.deepStrictEqual(found, [], "These end by age and ask no ClockGuard: see ClockGuard.sweep")
  })

  it("is not ended by a loop that nobody guards", () => {
    const found = unguarded(source, goesOn).filter((path) => harmless[path] === undefined)
    assert.deepStrictEqual(found, [], "These go on for ever and ask no ClockGuard: sweep behind it, or list why not")
  })

  it("is known to be ended in these places", () => {
    const found = [...source].filter(([, text]) => endsByAge(text)).map(([path]) => path)
    assert.includeMembers(found, [
      "src/membership/access/Lapses.ts",
      "src/identity/sessions/SessionStore.ts",
      "src/learning/media/MediaCleanup.ts",
      "src/platform/idempotency/IdempotencyKeys.ts",
      "src/commerce/sales/inbound/InboundRetention.ts",
      "src/webhooks/engine/retention/RetentionRepo.ts"
    ])
  })

  it.each([
    "yield* sql`delete from things where expires_at <= ${now}`",
    "sql`\n delete from things where day < ${oldest}::date`",
    "sql`with old as (select id from things where created_at <= ${before(age)} limit 5)\n delete from things using old`",
    "sql`update things set status = 'expired' where created_at < ${date}`"
  ])("would be found without it: %s", (text) => {
    assert.deepStrictEqual(unguarded(new Map([["src/Thing.ts", text]]), endsByAge), ["src/Thing.ts"])
    assert.deepStrictEqual(unguarded(new Map([["src/Thing.ts", `${text}\nyield* ClockGuard`]]), endsByAge), [])
    assert.deepStrictEqual(unguarded(new Map([["src/Thing.ts", `sweepOf("things", () => ${text})`]]), endsByAge), [])
  })

  it.each([
    "work.pipe(Effect.repeat(Schedule.spaced(every)), Effect.forkScoped)",
    "Effect.forever(work)",
    "repeatedly(work, { every, onFailure: \"A round failed\" })"
  ])(
    "would be found as a loop: %s",
    (text) => {
      assert.deepStrictEqual(unguarded(new Map([["src/Thing.ts", text]]), goesOn), ["src/Thing.ts"])
    }
  )

  it.each([
    "sql`delete from things where id = ${id}`",
    "sql`select 1 from things where created_at <= ${now}`",
    "/** sql`delete from things where day < ${day}` */"
  ])("is not mistaken for: %s", (text) => {
    assert.deepStrictEqual(unguarded(new Map([["src/Thing.ts", text]]), endsByAge), [])
  })
})
