import { Context, Effect, Layer } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import type { Locale } from "../../platform/http/Locale.ts"

/** A club that is being founded. */
export interface OpenedClub {
  readonly id: ClubId
  readonly name: string
  readonly locale: Locale
}

/** What a club starts with of one feature, such as a ladder. In the transaction that founds the club. */
export type ClubOpening = (club: OpenedClub) => Effect.Effect<void, TemporarilyUnavailable>

/** Every feature's opening, in the order in which they run. */
export class ClubOpenings extends Context.Service<ClubOpenings, ReadonlyArray<ClubOpening>>()(
  "turma/clubs/ClubOpenings"
) {
  static readonly layer = <E = never, R = never>(
    features: ReadonlyArray<Effect.Effect<ClubOpening, E, R>>
  ): Layer.Layer<ClubOpenings, E, R> => Layer.effect(ClubOpenings, Effect.all(features))
}
