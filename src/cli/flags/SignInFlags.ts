import { Flag } from "effect/cli"
import { switchFlag } from "./SwitchFlag.ts"

const roles = ["viewer", "support", "editor", "admin"] as const

/**
 * How an administrator signs in for a key of this machine, and at which service. `where` names the service that is
 * asked without `--url`.
 */
export const signInFlags = (where: string) => ({
  url: Flag.String("url").pipe(Flag.withDescription(`Where the service is; ${where} without`), Flag.optional),
  email: Flag.String("email").pipe(
    Flag.withDescription("Sign in as this administrator, and make a key of the club for this machine"),
    Flag.optional
  ),
  code: switchFlag("code", "With --email: have a code mailed instead of giving the password"),
  passwordStdin: switchFlag("password-stdin", "With --email: the password on standard input"),
  role: Flag.Literals("role", roles).pipe(
    Flag.withDescription("With --email: what the new key may do"),
    Flag.withDefault("admin" as const)
  )
})
