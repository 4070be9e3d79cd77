// Patch of effect 4.1.0. Without it, the logger for people prints annotations and spans as they are, with addresses and
// keys in them. It reads both from the fiber, and accepts no others.
import type { Context, Fiber } from "effect"

/** The same fiber with another context, for a logger that reads what it prints from the fiber. It must not run. */
export const withContext = (
  fiber: Fiber.Fiber<unknown, unknown>,
  context: Context.Context<never>
): Fiber.Fiber<unknown, unknown> => Object.create(fiber, { context: { value: context } })
