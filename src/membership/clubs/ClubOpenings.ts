import { Context, Effect, Layer, type Scope } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import type { Locale } from "../../platform/http/Locale.ts"

/** A club that is being created. */
interface OpenedClub {
  readonly id: ClubId
  readonly name: string
  readonly locale: Locale
}

/** Creates a feature's part of a new club, such as a ladder. Runs in the transaction that creates the club. */
export type ClubOpening = (club: OpenedClub) => Effect.Effect<void, TemporarilyUnavailable>

/** Every feature's opening, in the order in which they run. */
export class ClubOpenings
  extends Context.Service<ClubOpenings, ReadonlyArray<ClubOpening>>()("turma/membership/clubs/ClubOpenings")
{
  static readonly layer = <E = never, R = never>(
    features: ReadonlyArray<Effect.Effect<ClubOpening, E, R>>
  ): Layer.Layer<ClubOpenings, E, Exclude<R, Scope.Scope>> => Layer.effect(ClubOpenings, Effect.all(features))
}
