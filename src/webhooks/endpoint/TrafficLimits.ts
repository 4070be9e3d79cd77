import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { AttemptLimit, type LaneLimits } from "../model/LaneLimits.ts"

const Limit = Schema.NullOr(AttemptLimit)

/** The limits of an endpoint in answers. */
export const trafficLimits = {
  max_per_second: Limit
    .pipe(field("At most so many attempts begin in a second, evenly spread; null: no limit of its own", null)),
  max_in_flight: Limit.pipe(field(
    "At most so many attempts are under way at once, if the service makes as many; null: no limit of its own",
    null
  )),
  drain_rate: Limit.pipe(field(
    "Attempts a second at most while deliveries that waited during a pause are sent; null if no such deliveries wait",
    null
  ))
}

/** Absent is unchanged, or no limit of a new endpoint. */
export const askedLimits = {
  max_per_second: Schema.optionalKey(Limit)
    .pipe(field(
      "1 to 1000 attempts a second at most, also for attempts that a person asked for; null for no limit",
      20
    )),
  max_in_flight: Schema.optionalKey(Limit).pipe(field("1 to 1000 attempts at once at most; null for no limit", 4))
}

/** How fast what waited is sent. */
export const askedDrainRate = Schema.optionalKey(Limit).pipe(field(
  "With `status` `enabled` of a paused endpoint: how many waiting deliveries a second are sent at most. While they are sent, alone: the new rate; null ends the limit",
  null
))

/** The limits that a request names. */
export const namedLimits = ({ max_in_flight, max_per_second }: Partial<LaneLimits>): Partial<LaneLimits> => ({
  ...(max_in_flight === undefined ? {} : { max_in_flight }),
  ...(max_per_second === undefined ? {} : { max_per_second })
})

/** Only what waits can be drained: at an endpoint that is paused, or that drains. */
export class NothingToDrain extends ApiError<NothingToDrain>()("NothingToDrain", {
  status: 409,
  code: "nothing_to_drain",
  message: {
    en: "drain_rate must be sent with status enabled for an endpoint that is paused, or while one drains",
    "pt-BR": "O ritmo de envio só pode ser definido ao ativar um endpoint pausado ou durante o envio do que esperava."
  }
}) {}

/** A listener is sent what it polls for. */
export class ListenerPolls extends ApiError<ListenerPolls>()("ListenerPolls", {
  status: 409,
  code: "listener_polls",
  message: {
    en:
      "A listener gets what it polls for: limits, headers, gradings and keys without a secret are for endpoints with an address",
    "pt-BR":
      "Um listener busca seus eventos: limites, cabeçalhos, avaliações e chaves sem segredo valem só para endpoints com endereço."
  }
}) {}
