import { attempt } from "../../browser/parts/Toasts.tsx"
import { signOut } from "../club/Session.ts"

/** Signs out, and shows a message if that fails. */
export const leave = (): void => void attempt(signOut)
