import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { ActionButton } from "../../../browser/parts/ActionButton.tsx"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { clubId, ofClub } from "../../club/View.ts"
import type { File } from "./files.ts"
import { words } from "./words.ts"

/** A picture over the page, with a way to keep it. */
export const Picture = ({ file, onClose, publicId, save }: {
  readonly file: File
  readonly publicId: string
  readonly save: (publicId: string, fileId: string) => Promise<void>
  readonly onClose: () => void
}) => {
  const isBroken = useSignal(false)
  const address = useRead(
    `${clubId}/pictures/${publicId}/${file.id}`,
    (signal) =>
      turma.classroomRepositories.download({ ...ofClub, publicId, fileId: file.id, inline: "true" }, { signal })
  )
  return (
    <Dialog title={file.title} onClose={onClose} wide>
      {isBroken.value
        ? <p class="notice bad" role="alert">{said(words).notShown}</p>
        : (
          <Shown read={address}>
            {({ data }) => (
              <img class="picture" src={data.url} alt={file.title} onError={() => (isBroken.value = true)} />
            )}
          </Shown>
        )}
      <div class="actions">
        <ActionButton
          isQuiet
          work={() =>
            save(publicId, file.id)}
        >
          {said(words).download}
        </ActionButton>
      </div>
    </Dialog>
  )
}
