import { signal } from "@preact/signals"
import { readStored, writeStored } from "./BrowserStorage.ts"

/** How the pages look: as the system does, or always the same. */
export type Theme = "system" | "light" | "dark"

const key = "turma-theme"

const kept = (): Theme => {
  const theme = readStored(key)
  return theme === "light" || theme === "dark" ? theme : "system"
}

/** The theme of now. `start.ts` has set it before the first paint. */
export const theme = signal<Theme>(kept())

/** Shows everything in this theme from now on. */
export const dress = (next: Theme): void => {
  writeStored(key, next)
  theme.value = next
}

addEventListener("storage", (event) => {
  if (event.key === key) theme.value = kept()
})

theme.subscribe((chosen) => {
  document.documentElement.dataset["theme"] = chosen
})
