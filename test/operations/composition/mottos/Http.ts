import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentMember } from "../../../../src/identity/people/Identity.ts"
import { versioned } from "../../../../src/platform/http/Contract.ts"
import { data } from "../../../../src/platform/http/Page.ts"
import { MottosApi } from "./Api.ts"
import { Mottos } from "./Mottos.ts"

/** Answers the routes of `MottosApi`. */
export const MottosHttp = HttpApiBuilder.group(
  versioned(MottosApi),
  "mottos",
  Effect.fn(function*(handlers) {
    const mottos = yield* Mottos
    return handlers.handleAll({
      get: () => CurrentMember.use(({ club }) => Effect.map(mottos.get(club.id), data)),
      put: ({ payload }) => CurrentMember.use(({ club }) => Effect.map(mottos.put(club.id, payload), data))
    })
  })
)
