import { useEffect } from "preact/hooks"
import { said, spoken } from "../../browser/client/Language.ts"
import { place } from "../../browser/client/Location.ts"
import { Choices } from "../../browser/parts/Choices.tsx"
import { Icon } from "../../browser/parts/Icon.tsx"
import { attempt } from "../../browser/parts/Toasts.tsx"
import { Avatar } from "../club/Avatar.tsx"
import { me, signOut } from "../club/Session.ts"
import { to } from "../club/View.ts"
import { areaWords } from "./Areas.ts"
import { useLayer } from "./useLayer.ts"

const words = spoken(
  { menu: (name: string) => `${name}: account, language and theme`, signOut: "Sign out" },
  { menu: (name: string) => `${name}: conta, idioma e tema`, signOut: "Sair" }
)

/** The signed-in person: their account, how the page looks and speaks, and the way out. */
export const PersonMenu = () => {
  const { around, close, isOpen, opener, toggle } = useLayer<HTMLDivElement>()
  const { path } = place.value
  useEffect(close, [path])
  const person = me.value
  if (person === undefined) return null
  return (
    <div class="person" ref={around}>
      <button
        type="button"
        class="link"
        aria-expanded={isOpen}
        ref={opener}
        onClick={toggle}
      >
        <Avatar name={person.name} role="student" />
        <span class="visually-hidden">{said(words).menu(person.name)}</span>
      </button>
      {isOpen && (
        <div class="card over">
          <p class="person-name">
            <strong dir="auto">{person.name}</strong>
            <span class="soft small">{person.email}</span>
          </p>
          <a class="entry" href={to("account")} onClick={close}>
            <Icon name="person" />
            {said(areaWords).account}
          </a>
          <Choices />
          <button type="button" class="quiet" onClick={() => void attempt(signOut)}>{said(words).signOut}</button>
        </div>
      )}
    </div>
  )
}
