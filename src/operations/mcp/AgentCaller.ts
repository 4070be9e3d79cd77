import { Context, type Effect } from "effect"
import type { ApiUnreachable, CallApi } from "./ApiCall.ts"
import type { Rights } from "./Rights.ts"

/** The caller of tools. */
export interface AgentCaller {
  readonly call: CallApi
  /** The rights of the key at this moment. */
  readonly rights: Effect.Effect<Rights, ApiUnreachable>
}

/** The caller of the current request, if each request may have another caller. */
export const CurrentAgentCaller = Context.Reference<AgentCaller | undefined>(
  "turma/operations/mcp/CurrentAgentCaller",
  { defaultValue: () => undefined }
)
