import { Effect, Result, Schema } from "effect"
import { AdminSignUp, StudentSignUp } from "../accounts/Credential.ts"
import { mailed } from "./AskVisits.ts"
import { fieldsOf, formOf, type FormParts, reading } from "./Fields.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import type { Sheet } from "./Sheet.ts"
import type { Visit } from "./Visit.ts"
import type { Words } from "./words/English.ts"

const readSignUp =
  reading(Schema.Struct({ ...AdminSignUp.fields, registration_code: StudentSignUp.fields.registration_code }))

const wrongOf = ({ wrong }: Words, names: ReadonlyArray<string>) => {
  const texts: Readonly<Record<string, string>> = {
    name: wrong.name,
    email: wrong.email,
    password: wrong.password,
    registration_code: wrong.registration_code
  }
  return Object.fromEntries(names.map((name) => [name, texts[name] ?? wrong.summary]))
}

const sheet = ({ scope, to, words }: Place, more: Partial<FormParts> = {}): Sheet => {
  const { intro, student, submit, title } = words.signUp
  const { email, name, newPassword, password, registrationCode } = fieldsOf(words)
  const isStudent = scope.kind === "student"
  const fields = [name, email, { ...newPassword, label: password.label }, ...(isStudent ? [registrationCode] : [])]
  return {
    title,
    intro: isStudent ? student : intro,
    body: formOf({ words, action: to("sign-up"), submit, fields, ...more }),
    links: [{ label: words.links.signIn, to: to("sign-in") }]
  }
}

/** Signing up. A registration link fills in its code. */
export const signUpVisits = ({ requests }: PageServices): ReadonlyArray<Visit> => [{
  path: "sign-up",
  show: (place, query) =>
    Effect.succeed(sheet(place, {
      entered: (field) => field === "registration_code" ? query("code").slice(0, 64) : ""
    })),
  submit: Effect.fnUntraced(function*(place, form) {
    const { scope, words } = place
    const code = scope.kind === "student" ? form("registration_code").trim() : ""
    const read = readSignUp({
      name: form("name").trim(),
      email: form("email").trim(),
      password: form("password"),
      ...(code === "" ? {} : { registration_code: code })
    })
    if (Result.isFailure(read)) {
      return { ...sheet(place, { entered: form, wrong: wrongOf(words, read.failure) }), status: 422 }
    }
    yield* requests.signUp(scope, read.success, place.preferred, place.next)
    return mailed(place, "sign_up", read.success.email)
  })
}]
