import { signOut } from "../client/Session.ts"
import { attempt } from "../parts/Toasts.tsx"

/** Signs out, and shows a message if that fails. */
export const leave = (): void => void attempt(signOut)
