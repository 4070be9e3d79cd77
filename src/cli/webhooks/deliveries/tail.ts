import { Duration, Effect, Option } from "effect"
import { EndpointId } from "../../../webhooks/model/EndpointId.ts"
import { CommandFailure } from "../../errors/CommandFailure.ts"
import { exitCodes } from "../../errors/ExitCodes.ts"
import { textAt, type Thing } from "../../output/Json.ts"
import { endlessPrinter } from "../../output/Print.ts"
import { note } from "../../output/Write.ts"
import { eachPage, oneOf, pageOf } from "../../remote/Answers.ts"
import { bare, type Connection, connection, parseId } from "../../remote/Connection.ts"
import { untilEnded } from "../../remote/run.ts"
import { at, momentAt } from "../../remote/Shown.ts"
import { toneOf } from "../endpoints/Columns.ts"
import { goesOn, observe, type Watch, watchAfter } from "./Watch.ts"

const columns = [
  { ...momentAt("CREATED", "created_at"), width: 20 },
  { ...at("STATUS", "status"), tone: toneOf, width: 9 },
  { ...at("EVENT", "event_type"), width: 21 },
  { ...at("ATTEMPTS", "attempts_count"), width: 8 },
  { ...at("ANSWER", "last_status_code"), width: 6 },
  { ...at("ERROR", "last_error"), width: 11 },
  { ...at("ENDPOINT", "endpoint_id"), width: 36 },
  { ...at("ID", "id"), width: 36 }
]

const between = Duration.seconds(2)

/** After how many looks at deliveries to look for endpoints that are new. */
const looksPerList = 5

/** The most pages of one endpoint read in one look. */
const mostPages = 10

const backOff = (failures: number) => Duration.seconds(Math.min(30, 2 ** (failures - 1)))

type Club = Effect.Success<Connection["club"]>

const makeWatching = ({ client, url }: Connection, clubId: Club, only: Option.Option<string>) => {
  const list = (endpointId: EndpointId, page: { readonly limit: number; readonly cursor?: string }) =>
    pageOf(url, client.webhookDeliveries.list({ params: { clubId, endpointId }, query: page, ...bare }))

  const endpoints = Effect.gen(function*() {
    if (Option.isSome(only)) {
      const endpointId = yield* parseId(EndpointId, only.value, "an endpoint")
      yield* oneOf(url, client.webhookEndpoints.get({ params: { clubId, endpointId }, ...bare }))
      return [endpointId]
    }
    const found: Array<EndpointId> = []
    yield* eachPage(
      { all: true, limit: 0 },
      (query) => pageOf(url, client.webhookEndpoints.list({ params: { clubId }, query, ...bare })),
      (page) =>
        Effect.map(
          Effect.forEach(page, (endpoint) => parseId(EndpointId, textAt(endpoint, "id"), "an endpoint")),
          (ids) => void found.push(...ids)
        )
    )
    return found
  })

  const begin = (endpoint: EndpointId) => Effect.map(list(endpoint, { limit: 1 }), ({ data }) => watchAfter(data[0]))

  const look = Effect.fnUntraced(function*(endpoint: EndpointId, watch: Watch) {
    const listed: Array<Thing> = []
    let cursor: string | undefined
    for (let pages = 0; pages < mostPages; pages++) {
      const page = yield* list(endpoint, cursor === undefined ? { limit: 100 } : { limit: 100, cursor })
      listed.push(...page.data)
      if (page.next_cursor === null || !goesOn(watch, page.data)) break
      cursor = page.next_cursor
    }
    return observe(watch, listed)
  })

  return { endpoints, begin, look }
}

/** `turma webhooks tail`: looks every two seconds, and more rarely while the service does not answer. */
export const tail = (only: Option.Option<string>) =>
  untilEnded(Effect.gen(function*() {
    const connected = yield* connection
    const { begin, endpoints, look } = makeWatching(connected, yield* connected.club, only)
    const printer = yield* endlessPrinter<Thing>(columns)
    const watches = new Map<EndpointId, Watch>()
    const whereThere = <A, E, R>(endpoint: EndpointId, ask: Effect.Effect<A, E | CommandFailure, R>) =>
      Effect.catchIf(
        ask,
        (error) => Option.isNone(only) && error instanceof CommandFailure && error.exit_code === exitCodes.refused.code,
        () => Effect.sync(() => void watches.delete(endpoint))
      )
    for (const endpoint of yield* endpoints) {
      yield* whereThere(endpoint, Effect.map(begin(endpoint), (watch) => void watches.set(endpoint, watch)))
    }
    yield* note(`Watching ${watches.size === 1 ? "1 endpoint" : `${watches.size} endpoints`}; Ctrl-C ends it`)

    const lookAtAll = Effect.gen(function*() {
      for (const [endpoint, before] of watches) {
        const found = yield* whereThere(endpoint, look(endpoint, before))
        if (found === undefined) continue
        yield* printer.page(found.changed)
        watches.set(endpoint, found.watch)
      }
    })
    // An unknown endpoint has been registered meanwhile, so all of its deliveries are new.
    const findNew = Effect.gen(function*() {
      const found = yield* endpoints
      for (const endpoint of found) if (!watches.has(endpoint)) watches.set(endpoint, watchAfter(undefined))
      for (const endpoint of watches.keys()) if (!found.includes(endpoint)) watches.delete(endpoint)
    })

    let failures = 0
    const regained = Effect.suspend(() => {
      if (failures === 0) return Effect.void
      failures = 0
      return note("turma: connected again")
    })
    for (let looks = 1;; looks++) {
      yield* Effect.sleep(failures === 0 ? between : backOff(failures))
      const isListed = Option.isNone(only) && looks % looksPerList === 0
      yield* Effect.andThen(isListed ? findNew : Effect.void, lookAtAll).pipe(
        Effect.andThen(regained),
        Effect.catchIf(
          (error) => error._tag === "CommandFailure" && error.exit_code === exitCodes.unavailable.code,
          ({ message }) => {
            failures++
            return failures === 1 ? note(`turma: ${message}; trying again`) : Effect.void
          }
        )
      )
    }
  }))
