import { Context, type Effect } from "effect"
import type { ApiUnreachable, CallApi } from "./ApiCall.ts"
import type { Rights } from "./Rights.ts"

/** Whoever calls tools. */
export interface AgentCaller {
  readonly call: CallApi
  /** What the key may do at this moment. */
  readonly rights: Effect.Effect<Rights, ApiUnreachable>
}

/** Who calls tools by the request at hand, where each request may be somebody else's. */
export const CurrentAgentCaller = Context.Reference<AgentCaller | undefined>(
  "turma/operations/mcp/CurrentAgentCaller",
  { defaultValue: () => undefined }
)
