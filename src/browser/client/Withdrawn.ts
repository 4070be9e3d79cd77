import { TurmaError } from "../../sdk/index.ts"

/** True if the thing is not visible to the person or no longer exists. Another request would not help. */
export const isWithdrawn = (thrown: unknown): boolean =>
  thrown instanceof TurmaError && (thrown.status === 403 || thrown.status === 404)
