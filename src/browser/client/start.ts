import { readStored } from "./BrowserStorage.ts"

// Before the first paint, so that a page in the other theme is never seen.
document.documentElement.dataset["theme"] = readStored("turma-theme") ?? "system"
