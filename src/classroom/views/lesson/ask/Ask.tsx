import { useSignal } from "@preact/signals"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { said } from "../../../../browser/client/Language.ts"
import { Icon } from "../../../../browser/parts/Icon.tsx"
import { Toasts } from "../../../../browser/parts/Toasts.tsx"
import type { OpenSource } from "../../../club/Source.ts"
import { AskTalk } from "./AskTalk.tsx"
import { words } from "./words.ts"

interface AskProps {
  /** The public id of the lesson. */
  readonly lesson: string
  readonly openSource: OpenSource
}

/** If there is room, the panel stands beside the lesson, which can still be read. */
const hasRoom = () => matchMedia("(min-width: 64rem)").matches

const Panel = ({ close, lesson, openSource }: AskProps & { readonly close: () => void }) => {
  const panel = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const shown = panel.current
    if (hasRoom()) shown?.show()
    else shown?.showModal()
    // Closed before it goes, so that the focus is back at once.
    return () => shown?.close()
  }, [])
  return (
    <dialog
      class="ask-panel"
      ref={panel}
      aria-labelledby={id}
      onClose={close}
      onKeyDown={(event) => {
        // A browser closes only the other kind of dialog.
        if (event.key === "Escape" && !event.defaultPrevented) close()
      }}
    >
      <AskTalk
        lesson={lesson}
        openSource={(source) => {
          const isOpened = openSource(source)
          // On a phone, the panel would hide the place.
          if (isOpened && !hasRoom()) close()
          return isOpened
        }}
        titleId={id}
        actions={
          <button type="button" class="quiet square" aria-label={said(words).close} onClick={close}>
            <Icon name="close" />
          </button>
        }
      />
      <Toasts />
    </dialog>
  )
}

/** A way to ask the assistant about a lesson, beside the lesson or on a phone over it. */
export const Ask = (props: AskProps) => {
  const isOpen = useSignal(false)
  return (
    <aside class="ask-invite">
      <div>
        <button type="button" class="quiet" aria-expanded={isOpen.value} onClick={() => (isOpen.value = true)}>
          <Icon name="spark" />
          {said(words).ask}
        </button>
        <p class="soft small">{said(words).inviteText}</p>
      </div>
      {isOpen.value && <Panel {...props} close={() => (isOpen.value = false)} />}
    </aside>
  )
}
