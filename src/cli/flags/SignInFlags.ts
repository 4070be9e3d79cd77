import { Flag } from "effect/cli"

const roles = ["viewer", "support", "editor", "admin"] as const

const said = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

/** How an administrator signs in for a key of this machine, and where. `where` is what is asked without `--url`. */
export const signInFlags = (where: string) => ({
  url: Flag.String("url").pipe(Flag.withDescription(`Where the service is; ${where} without`), Flag.optional),
  email: Flag.String("email").pipe(
    Flag.withDescription("Sign in as this administrator: a key of the club is made for this machine"),
    Flag.optional
  ),
  code: said("code", "With --email: have a code mailed instead of giving the password"),
  passwordStdin: said("password-stdin", "With --email: the password on standard input"),
  role: Flag.Literals("role", roles).pipe(
    Flag.withDescription("With --email: what the new key may do"),
    Flag.withDefault("admin" as const)
  )
})
