import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { saveFile } from "../../../../browser/parts/saveFile.ts"
import { attempt } from "../../../../browser/parts/Toasts.tsx"
import type { Membership } from "../../../club/Session.ts"

const words = spoken(
  { done: "The file is ready", export: "Export CSV" },
  { done: "O arquivo foi gerado", export: "Exportar CSV" }
)

/** In milliseconds: a large club takes its time. */
const patience = 600_000

/** Saves the students as a file. */
export const ExportButton = ({ club }: { readonly club: Membership }) => {
  const isRunning = useSignal(false)
  const run = async () => {
    if (isRunning.peek()) return
    isRunning.value = true
    await attempt(async () => {
      // The file begins with a byte order mark, which reading takes off, and spreadsheets want.
      const text = await turma.studentExport.csv({ clubId: club.organization_id }, {
        timeout: patience,
        totalTimeout: patience
      })
      saveFile(text.startsWith("\ufeff") ? text : `\ufeff${text}`, "text/csv", `${club.slug}.csv`)
    }, said(words).done)
    isRunning.value = false
  }
  return (
    <button type="button" class="quiet" aria-busy={isRunning.value} onClick={() => void run()}>
      {said(words).export}
    </button>
  )
}
