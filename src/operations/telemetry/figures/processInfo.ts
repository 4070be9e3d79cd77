import { version } from "../../../platform/version.ts"
import { type Family, gauge } from "./Family.ts"

/** Which process it is, for sums by role. */
export const processInfo = (process: string, role: string): Family =>
  gauge("turma_process_info", "A process, by its process id, with its role and its version", [
    { labels: { process, role, version }, value: 1 }
  ])
