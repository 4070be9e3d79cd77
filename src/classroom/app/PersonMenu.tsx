import { said } from "../../browser/client/Language.ts"
import { Icon } from "../../browser/parts/Icon.tsx"
import { PersonMenu as SharedMenu } from "../../browser/parts/PersonMenu.tsx"
import { attempt } from "../../browser/parts/Toasts.tsx"
import { me, signOut } from "../club/Session.ts"
import { to } from "../club/View.ts"
import { areaWords } from "./Areas.ts"

/** The menu of the signed-in student. */
export const PersonMenu = () => {
  const person = me.value
  if (person === undefined) return null
  return (
    <SharedMenu name={person.name} email={person.email} role="student" leave={() => void attempt(signOut)}>
      <a class="entry" href={to("account")}>
        <Icon name="person" />
        {said(areaWords).account}
      </a>
    </SharedMenu>
  )
}
