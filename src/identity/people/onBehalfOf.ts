import { Context, Effect, Option } from "effect"
import { OnBehalfOf } from "../../platform/sql/Connections.ts"
import { ScansOf } from "../../platform/sql/ReadLane.ts"
import type { Founders } from "./Founders.ts"
import type { SessionClub } from "./Identity.ts"
import type { Session } from "./Session.ts"

/**
 * Adds the party that statements run for. A club's members, keys and students share the club's part of the connections.
 * Scans share the part of all clubs of its founder. Outside of clubs, each session has its own.
 */
export const onBehalfOf =
  (identity: { readonly club: SessionClub } | { readonly session: Session }, founders: Founders["Service"]) =>
  <R>(context: Context.Context<R>): Context.Context<R> => {
    if (!("club" in identity)) return Context.add(context, OnBehalfOf, identity.session.id)
    const { id } = identity.club
    const founder = Effect.map(Effect.suspend(() => founders.of(id)), Option.getOrUndefined)
    return Context.add(Context.add(context, OnBehalfOf, id), ScansOf, founder)
  }
