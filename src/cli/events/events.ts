import { Effect, Schema } from "effect"
import { EventId } from "../../events/EventType.ts"
import { Thing } from "../output/Json.ts"
import { outputForm, printFields, printRows, writeJson } from "../output/Print.ts"
import { write } from "../output/Write.ts"
import { oneOf, pageOf } from "../remote/Answers.ts"
import { bare, connection, parseId } from "../remote/Connection.ts"
import { untilDone } from "../remote/run.ts"
import { at, momentAt } from "../remote/Shown.ts"

const types = [at("TYPE", "type"), at("SENT", "description")]

const fields = [at("ID", "id"), at("Type", "type"), at("Student", "student_id"), momentAt("Created", "created_at")]

const deliveries = [
  at("DELIVERY", "id"),
  at("ENDPOINT", "endpoint_id"),
  at("STATUS", "status"),
  at("ATTEMPTS", "attempts_count"),
  at("ANSWER", "last_status_code")
]

/** `turma events types` */
export const listTypes = untilDone(Effect.gen(function*() {
  const { client, club, url } = yield* connection
  const params = { clubId: yield* club }
  const { data } = yield* pageOf(url, client.webhookEndpoints.eventTypes({ params, ...bare }))
  yield* printRows(types, data, "No types of events")
}))

const isList = Schema.is(Schema.Array(Thing))

/** `turma events show` */
export const showEvent = (id: string) =>
  untilDone(Effect.gen(function*() {
    const { client, club, url } = yield* connection
    const params = { clubId: yield* club, eventId: yield* parseId(EventId, id, "an event") }
    const event = yield* oneOf(url, client.webhookDeliveries.event({ params, ...bare }))
    yield* printFields(fields, event)
    if ((yield* outputForm) !== "table") return
    const sent = event["deliveries"]
    yield* write("\n")
    yield* printRows(deliveries, isList(sent) ? sent : [], "Sent to no endpoint")
    yield* write("\n")
    yield* writeJson(event["payload"])
  }))
