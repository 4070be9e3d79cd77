import type { ComponentChildren } from "preact"
import { isSafeAddress } from "../client/SafeAddress.ts"

/** A link that somebody else wrote: it opens beside the console and knows nothing of it, and is no link unless encrypted. */
export const SafeLink = ({ children, to }: { readonly to: string; readonly children: ComponentChildren }) =>
  isSafeAddress(to)
    ? <a href={to} target="_blank" rel="noopener noreferrer" dir="auto">{children}</a>
    : <span dir="auto">{children}</span>
