import { signal } from "@preact/signals"
import { readStored, writeStored } from "./BrowserStorage.ts"

/** The languages of the pages. */
export type Language = "en" | "pt-BR"

const key = "turma-language"

const preferred = (): Language => {
  const kept = readStored(key)
  if (kept === "en" || kept === "pt-BR") return kept
  const ofClub = document.documentElement.dataset["locale"]
  if (ofClub === "en" || ofClub === "pt-BR") return ofClub
  return navigator.language.toLowerCase().startsWith("pt") ? "pt-BR" : "en"
}

/** The language that everything is shown in. */
export const language = signal<Language>(preferred())

/** Shows everything in this language from now on, in other tabs too. */
export const speak = (next: Language): void => {
  writeStored(key, next)
  language.value = next
}

addEventListener("storage", (event) => {
  if (event.key === key) language.value = preferred()
})

language.subscribe((spoken) => {
  document.documentElement.lang = spoken
})

/** The same words in both languages: what one has and the other lacks does not compile. */
export const spoken = <W extends object>(en: W, portuguese: NoInfer<W>): Readonly<Record<Language, W>> => ({
  en,
  "pt-BR": portuguese
})

/** The words in the current language. A component that reads them renders again when the language changes. */
export const said = <W extends object>(words: Readonly<Record<Language, W>>): W => words[language.value]
