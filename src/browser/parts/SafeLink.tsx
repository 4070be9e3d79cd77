import type { ComponentChildren } from "preact"
import { isSafeAddress } from "../client/SafeAddress.ts"

/**
 * A link that somebody else wrote. It opens beside the page and knows nothing of it. An address without encryption
 * shows as text.
 */
export const SafeLink = ({ children, to }: { readonly to: string; readonly children: ComponentChildren }) =>
  isSafeAddress(to)
    ? <a href={to} target="_blank" rel="noopener noreferrer" dir="auto">{children}</a>
    : <span dir="auto">{children}</span>
