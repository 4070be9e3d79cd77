import type { Kind } from "./Kind.ts"

/** Files in which every sentence of this kind keeps the rules. The check fails for these files alone. */
export const clean: Readonly<Record<Kind, ReadonlyArray<string>>> = {
  pages: ["**"],
  api: ["**"],
  messages: ["**"],
  comments: [".ci/**", "packages/**", "src/**"]
}
