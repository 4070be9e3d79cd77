import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { HttpServer } from "effect/http"
import type { Page, Request } from "playwright-core"
import { appLayer, at, foundClub, send } from "../../harness/App.ts"
import { axe, heightOf, openPage, type PageOptions, screenshot, withoutBrowser } from "../../harness/Browser.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { access, accessCode, admins, newAddress, registered, signIn, studentsOf } from "../accounts/People.ts"
import { invite } from "../clubs/Invite.ts"

// Uses every page as people do: without script, on a phone or at a desk. axe-core checks each page.

const origin = Effect.map(
  HttpServer.HttpServer,
  ({ address }) => address._tag === "UnixPathAddress" ? "" : `http://127.0.0.1:${address.port}`
)

/** A browser without scripts. */
const visitor = (options: PageOptions = {}) => openPage({ javaScript: false, ...options })

const open = Effect.fnUntraced(function*(page: Page, path: string) {
  const base = yield* origin
  yield* Effect.promise(() => page.goto(`${base}${path}`))
})

/** Follows the link in the newest mail to this address. */
const follow = Effect.fnUntraced(function*(page: Page, email: string) {
  const { to } = yield* Mailbox
  const link = /http:\/\/127\.0\.0\.1(\/\S+)/.exec((yield* to(email)).at(-1)?.text ?? "")?.[1]
  yield* open(page, link ?? (yield* Effect.die(new Error(`No link was mailed to ${email}`))))
})

/** Fills the fields by their labels, and sends the form. */
const enter = Effect.fnUntraced(function*(page: Page, entered: Record<string, string>, button: string) {
  yield* Effect.forEach(
    Object.entries(entered),
    ([label, text]) => Effect.promise(() => page.getByLabel(label, { exact: true }).fill(text))
  )
  yield* Effect.promise(() => page.getByRole("button", { name: button }).click())
})

/** Sends a form whose page goes on, and waits until the browser has been sent there. */
const arrives = Effect.fnUntraced(function*(
  page: Page,
  path: RegExp,
  button: string,
  entered: Record<string, string> = {}
) {
  const isThere = (request: Request) => request.method() === "GET" && path.test(new URL(request.url()).pathname)
  const sent = yield* Effect.forkChild(Effect.promise(() => page.waitForRequest(isThere)))
  yield* enter(page, entered, button)
  yield* Fiber.join(sent)
  yield* Effect.promise(() => page.waitForLoadState())
})

const home = (club: { readonly organization_id: string }) => new RegExp(`^/classroom/${club.organization_id}$`)

/** The value of a cookie of the browser. */
const kept = (page: Page, name: string) =>
  Effect.promise(async () => {
    const found = (await page.context().cookies()).find((cookie) => cookie.name === name)
    return found?.value ?? ""
  })

/** Checks the page with axe-core, takes a picture of it, and asserts that it is as wide as the window. */
const fits = Effect.fnUntraced(function*(page: Page, name: string) {
  yield* axe(page)
  yield* screenshot(page, `pages-${name}`)
  const beyond = yield* Effect.promise(() => page.evaluate("document.documentElement.scrollWidth - innerWidth"))
  assert.isAtMost(Number(beyond), 0, name)
})

const looks = {
  phoneInLight: { width: 390, colorScheme: "light" },
  phoneInDark: { width: 390, colorScheme: "dark" },
  deskInLight: { width: 1280, colorScheme: "light" },
  deskInDark: { width: 1280, colorScheme: "dark" }
} as const

type Look = (typeof looks)[keyof typeof looks]

/** Turns the page into one on a phone or at a desk, light or dark. */
const turn = (page: Page, { colorScheme, width }: Look) =>
  Effect.promise(async () => {
    await page.setViewportSize({ width, height: heightOf(width) })
    await page.emulateMedia({ colorScheme })
  })

const isHeaded = (page: Page, title: string) =>
  Effect.promise(() => page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor())

/** Checks the page as it is shown, and in each of these looks. */
const look = Effect.fnUntraced(function*(page: Page, name: string, title: string, asked: ReadonlyArray<Look> = []) {
  yield* isHeaded(page, title)
  if (asked.length === 0) return yield* fits(page, name)
  yield* Effect.forEach(asked, (one) => Effect.andThen(turn(page, one), fits(page, name)), { discard: true })
})

const password = "correct horse"

describe.skipIf(withoutBrowser)("In a browser", () => {
  // A browser keeps cookies of HTTPS only over HTTPS, and only until they expire by its own clock.
  layer(appLayer({ PUBLIC_URL: "http://127.0.0.1" }), { excludeTestServices: true })("a person", (it) => {
    it.effect("signs up and founds a first club by the mailed link, on a phone and at a desk", () =>
      Effect.gen(function*() {
        const page = yield* visitor()
        const email = yield* newAddress
        const see = (name: string, title: string) => look(page, name, title, [looks.phoneInLight, looks.deskInDark])
        yield* open(page, "/account/sign-up")
        yield* isHeaded(page, "Create your account")
        yield* enter(page, { "Your name": "Ana", "E-mail address": email, "Password": password }, "Create the account")
        yield* see("mailed", "Look into your mailbox")
        yield* follow(page, email)
        yield* see("confirm", "Confirm your address")
        yield* arrives(page, /^\/console$/, "Confirm and sign in")
        const { json } = yield* send("GET", "/v1/auth/session", { token: yield* kept(page, "turma-session") })
        assert.strictEqual(at(json, "data", "account", "email"), email)
        yield* open(page, "/account/sign-in")
        yield* see("signed-in", "You are signed in")
        yield* open(page, "/account/club")
        yield* isHeaded(page, "Found a club")
        const club = { "Name of the club": "Violão Fácil", "E-mail address": email, "Password": password }
        yield* arrives(page, /^\/console\/[\w-]{36}$/, "Found the club", club)
        const mine = yield* send("GET", "/v1/me", { token: yield* kept(page, "turma-session") })
        assert.strictEqual(at(mine.json, "data", "organizations", 0, "name"), "Violão Fácil")
      }).pipe(Effect.scoped))

    it.effect("chooses a new password by the mailed link, in Portuguese, by keyboard alone", () =>
      Effect.gen(function*() {
        const page = yield* visitor({ width: 390, locale: "pt-BR", expected: [/422/] })
        const { email } = yield* registered(admins)
        yield* open(page, "/account/forgot")
        yield* isHeaded(page, "Esqueceu a senha?")
        yield* enter(page, { "Endereço de e-mail": email }, "Enviar o link")
        yield* follow(page, email)
        yield* look(page, "reset", "Escolha uma nova senha")
        yield* Effect.promise(async () => {
          // The link past the top, the name at the top, the field.
          await page.keyboard.press("Tab")
          await page.keyboard.press("Tab")
          await page.keyboard.press("Tab")
          await page.keyboard.type("uma senha melhor")
          await page.keyboard.press("Enter")
          await page.waitForURL(/\/console$/)
        })
        assert.strictEqual((yield* signIn(admins, email, "uma senha melhor")).status, 200)
        yield* open(page, `/account/reset?token=${"A".repeat(43)}`)
        yield* look(page, "gone", "Este link não funciona mais")
      }).pipe(Effect.scoped))

    it.effect("accepts an invitation, after a wrong password", () =>
      Effect.gen(function*() {
        const page = yield* visitor({ expected: [/401/] })
        const club = yield* foundClub()
        const { email } = yield* registered(admins)
        yield* invite(club, { email, role: "editor" })
        yield* follow(page, email)
        yield* look(page, "invitation", "Accept the invitation")
        yield* enter(page, { "E-mail address": email, "Password": "wrong battery" }, "Accept the invitation")
        yield* Effect.promise(() => page.getByRole("alert").waitFor())
        yield* look(page, "invitation-wrong", "Accept the invitation")
        assert.strictEqual(yield* Effect.promise(() => page.getByLabel("E-mail address").inputValue()), email)
        yield* arrives(page, new RegExp(`^/console/${club.organization_id}$`), "Accept the invitation", {
          "Password": password
        })
      }).pipe(Effect.scoped))

    it.effect("signs in as a student by one click on the mailed link, and out again, on a phone and at a desk", () =>
      Effect.gen(function*() {
        const page = yield* visitor({ expected: [/422/] })
        const club = yield* foundClub({ locale: "pt-BR" })
        const email = yield* newAddress
        const body = { name: "Noel Rosa", email, send_invite: true }
        const see = (name: string, title: string) => look(page, name, title, Object.values(looks))
        yield* send("POST", `${club.path}/students`, { token: club.token, body })
        yield* follow(page, email)
        yield* see("enter", "Entrar")
        yield* arrives(page, home(club), "Entrar")
        const token = yield* kept(page, `turma-${club.organization_id.slice(0, 8)}`)
        const classroom = () => send("GET", `${club.path}/classroom`, { token })
        assert.strictEqual((yield* classroom()).status, 200)

        yield* follow(page, email)
        yield* see("signed-in-student", "Você já entrou")
        yield* enter(page, {}, "Sair")
        yield* see("signed-out", "Você saiu")
        assert.strictEqual((yield* classroom()).status, 401)

        yield* follow(page, email)
        yield* see("enter-old", "Este link não funciona mais")
        yield* enter(page, {}, "Enviar o link")
        yield* see("enter-renewed", "Veja sua caixa de entrada")
        yield* follow(page, email)
        yield* arrives(page, home(club), "Entrar")
      }).pipe(Effect.scoped))

    it.effect("is asked before somebody else's session ends, and can sign in by hand", () =>
      Effect.gen(function*() {
        const page = yield* visitor({ width: 390, expected: [/422/, /401/] })
        const club = yield* foundClub({ locale: "en" })
        const side = studentsOf(club)
        const folder = `/classroom/${club.organization_id}`
        const [one, two] = [yield* registered(side), yield* registered(side, { name: "Noel Rosa" })]
        yield* open(page, `${folder}/sign-in`)
        yield* arrives(page, home(club), "Sign in", { "E-mail address": one.email, "Password": one.password })
        yield* access(side, two.email)
        yield* follow(page, two.email)
        yield* look(page, "enter-instead", "Sign in", Object.values(looks))
        yield* arrives(page, home(club), "Sign in")
        const token = yield* kept(page, `turma-${club.organization_id.slice(0, 8)}`)
        const { json } = yield* send("GET", "/v1/auth/session", { token })
        assert.strictEqual(at(json, "data", "account", "email"), two.email)

        const code = yield* accessCode(side, one.email)
        yield* open(page, `${folder}/enter`)
        yield* enter(page, { "E-mail address": `x${one.email}`, "Code from the mail": code }, "Sign in")
        yield* Effect.promise(() => page.getByRole("alert").waitFor())
        yield* look(page, "enter-refused", "Sign in")
        const focused = yield* Effect.promise(() => page.evaluate("document.activeElement.id"))
        assert.strictEqual(focused, "code")
        yield* arrives(page, home(club), "Sign in", { "E-mail address": one.email })
      }).pipe(Effect.scoped))

    it.effect("finds every page fit to be read, failures too, on a phone and at a desk", () =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale: "pt-BR" })
        const base = yield* origin
        const page = yield* visitor({ expected: [/status of 4\d\d/] })
        const see = (name: string) =>
          Effect.forEach(
            [looks.phoneInDark, looks.deskInLight],
            (one) => Effect.andThen(turn(page, one), fits(page, `all-${name}`)),
            { discard: true }
          )
        for (
          const [folder, who] of [["/account", "admin"], [`/classroom/${club.organization_id}`, "student"]] as const
        ) {
          const paths = ["sign-up", "sign-in", "resend", "forgot", "access", "confirm", "reset", "enter"]
          for (const path of who === "admin" ? [...paths, "invitation", "club"] : paths) {
            yield* open(page, `${folder}/${path}`)
            yield* see(`${who}-${path}`)
          }
        }
        yield* open(page, "/classroom/nowhere/sign-in")
        yield* see("unknown-club")
        const form = `<form method="post" action="${base}/account/confirm"><button>Send</button></form>`
        for (const name of ["no-such-link", "another-site"]) {
          if (name === "another-site") yield* Effect.promise(() => page.goto("about:blank"))
          yield* Effect.promise(() => page.setContent(form))
          yield* Effect.promise(() => page.getByRole("button").click())
          yield* see(name)
        }
        assert.strictEqual(yield* Effect.promise(() => page.title()), "That came from another site · Turma")
      }).pipe(Effect.scoped))

    it.effect("finds the front page, on a phone and at a desk", () =>
      Effect.gen(function*() {
        const page = yield* visitor()
        yield* open(page, "/")
        yield* look(page, "front", "Everything a learning community needs, as an API", [
          looks.phoneInLight,
          looks.deskInLight
        ])
      }).pipe(Effect.scoped))
  })
})
