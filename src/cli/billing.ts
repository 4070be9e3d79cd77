import { Effect } from "effect"
import { Argument, Command } from "effect/cli"

const plan = Command.make("plan", {
  organization_id: Argument.String("organization_id")
    .pipe(Argument.withDescription("The club's public id, as in /v1/clubs/{clubId}")),
  plan_key: Argument.String("plan_key").pipe(Argument.withDescription("The key of a plan of the catalog"))
}, (given) => Effect.flatMap(Effect.promise(() => import("./billing/givePlan.ts")), ({ givePlan }) => givePlan(given)))
  .pipe(
    Command.withDescription("Give a club a plan, or another one: the rest of the old one is credited"),
    Command.withExamples([{
      command: "turma billing plan 6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10 growth",
      description: "Give a club the plan growth"
    }])
  )

/** `turma billing …`: what an operator who invoices by other means does by hand. */
export const billing = Command.make("billing").pipe(
  Command.withDescription("See to the plans of clubs, with BILLING_PROVIDER=local"),
  Command.withExamples([{
    command: "turma billing plan 6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10 growth",
    description: "Give a club the plan growth"
  }]),
  Command.withSubcommands([plan])
)
