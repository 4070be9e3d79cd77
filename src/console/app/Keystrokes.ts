// Commands by one key, or by two after each other. Pure.

/** A key, and when it was pressed, in milliseconds. */
export interface Keystroke {
  readonly key: string
  readonly at: number
}

/** How the keys of the palette are written on a machine, as `navigator.platform` names it. */
export const paletteKeys = (platform: string): string => /^(?:Mac|iP)/.test(platform) ? "⌘K" : "Ctrl K"

interface Keyed {
  readonly keys?: string
}

/** How long after the first key the second counts, in milliseconds. */
const together = 1500

/** The result of a key after the one before: a command, or the beginning of one. */
export const stepOf = <C extends Keyed>(
  commands: ReadonlyArray<C>,
  before: Keystroke | undefined,
  now: Keystroke
): { readonly command: C | undefined; readonly before: Keystroke | undefined } => {
  const named = (keys: string) => commands.find((command) => command.keys === keys)
  const isSecond = before !== undefined && now.at - before.at <= together
  const command = (isSecond ? named(`${before.key} ${now.key}`) : undefined) ?? named(now.key)
  return { command, before: command === undefined ? now : undefined }
}
