import { signOut } from "../client/Session.ts"
import { attempt } from "../parts/Toasts.tsx"

/** Signs out, and says so where that did not work. */
export const leave = (): void => void attempt(signOut)
