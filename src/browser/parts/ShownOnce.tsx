import { useSignal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import { askBeforeLeaving } from "../client/Location.ts"
import { Confirm } from "./Dialog.tsx"

const words = spoken(
  {
    leave: "Leave without it",
    text: "The secret is shown only once: if you have not kept it, you need a new one.",
    title: "Have you kept the secret?"
  },
  {
    leave: "Sair sem guardar",
    text: "O segredo só aparece desta vez: se você não o guardou, vai precisar de outro.",
    title: "Você guardou o segredo?"
  }
)

/** While it is there, nobody leaves the page without being asked: by a link, by going back, or by closing it. */
export const ShownOnce = () => {
  const leave = useSignal<{ readonly run: () => void } | undefined>(undefined)
  useLayoutEffect(() => {
    const end = askBeforeLeaving((run) => {
      leave.value = { run }
    })
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener("beforeunload", onLeave)
    return () => {
      end()
      removeEventListener("beforeunload", onLeave)
    }
  }, [])
  const asked = leave.value
  if (asked === undefined) return null
  return (
    <Confirm
      title={said(words).title}
      action={said(words).leave}
      isDangerous
      work={async () => asked.run()}
      onClose={() => (leave.value = undefined)}
    >
      <p>{said(words).text}</p>
    </Confirm>
  )
}
