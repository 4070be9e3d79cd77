import { Effect } from "effect"
import type { ClubOpening } from "../../membership/clubs/ClubOpenings.ts"
import { provideShared } from "../../platform/provideShared.ts"
import { Agents } from "./Agents.ts"

/** A club starts with an agent, named in its language. */
export const agentOpening = Effect.map(Agents, ({ open }): ClubOpening => ({ id, locale }) => open(id, locale))
  .pipe(provideShared(Agents.layer))
