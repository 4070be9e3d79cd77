import { recall } from "../client/Memory.ts"

// Before the first paint, so that a page in the other theme is never seen.
document.documentElement.dataset["theme"] = recall("turma-theme") ?? "system"
