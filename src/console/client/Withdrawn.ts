import { TurmaError } from "../../sdk/index.ts"

/** Whether the person may not see the thing, or it no longer exists: another request would not help. */
export const isWithdrawn = (thrown: unknown): boolean =>
  thrown instanceof TurmaError && (thrown.status === 403 || thrown.status === 404)
