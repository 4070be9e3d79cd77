import { createHash, timingSafeEqual } from "node:crypto"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Compares hashes, which have equal length, so that the time tells nothing of either text. */
export const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
