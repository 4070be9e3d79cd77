// The colours that a club's accent gives a page. It imports nothing, so that a browser can run it too.

/** The four colours of one theme, as `#rrggbb`. */
export interface AccentColors {
  /** Links, and the ground of the primary button. */
  readonly accent: string
  /** The same under a pointer. */
  readonly accent_strong: string
  /** The ground of what is chosen. `accent` can be read on it. */
  readonly accent_soft: string
  /** The letters on `accent` and `accent_strong`. */
  readonly on_accent: string
}

/** The colours of both themes. */
export interface FaceColors {
  readonly light: AccentColors
  readonly dark: AccentColors
}

/** The grounds of a page that an accent stands on: paper, surface and sunken of the tokens. */
export const grounds = {
  light: ["#f6f6f4", "#ffffff", "#eeeeeb"],
  dark: ["#131417", "#1a1c20", "#22252a"]
} as const

/** The contrast that WCAG's level AA asks of text. */
export const leastContrast = 4.5

type Triple = readonly [number, number, number]

/** Lightness from 0 to 1, chroma, and hue in radians. */
type Oklch = readonly [number, number, number]

const toLinear = (value: number) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
const fromLinear = (value: number) => value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055

const linearOf = (hex: string): Triple => {
  const at = (start: number) => toLinear(Number.parseInt(hex.slice(start, start + 2), 16) / 255)
  return [at(1), at(3), at(5)]
}

const byteOf = (value: number) => {
  const byte = Math.round(fromLinear(Math.min(1, Math.max(0, value))) * 255)
  return byte.toString(16).padStart(2, "0")
}

const luminance = (hex: string) => {
  const [red, green, blue] = linearOf(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours by WCAG 2.2, from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

// Björn Ottosson's OKLab, in which equal steps of lightness look equal.
const oklchOf = (hex: string): Oklch => {
  const [red, green, blue] = linearOf(hex)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short
  return [0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short, Math.hypot(a, b), Math.atan2(b, a)]
}

const linearFrom = ([lightness, chroma, hue]: Oklch): Triple => {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short
  ]
}

const isShown = (color: Triple) => color.every((value) => value >= -0.0005 && value <= 1.0005)

/** The colour on a screen: with less chroma where a screen does not have that much. */
const hexOf = ([lightness, chroma, hue]: Oklch): string => {
  let shown = linearFrom([lightness, chroma, hue])
  for (let part = 0.95; !isShown(shown) && part >= 0; part -= 0.05) {
    shown = linearFrom([lightness, chroma * part, hue])
  }
  return `#${shown.map(byteOf).join("")}`
}

const isReadable = (color: string, on: ReadonlyArray<string>) =>
  on.every((ground) => contrast(color, ground) >= leastContrast)

const step = 0.005

/** The colour itself, or the nearest one in this direction that can be read on all of these grounds. */
const readable = (hex: string, direction: 1 | -1, on: ReadonlyArray<string>): string => {
  const [lightness, chroma, hue] = oklchOf(hex)
  let found = hex
  for (let at = lightness; !isReadable(found, on) && at >= 0 && at <= 1; at += direction * step) {
    found = hexOf([at, chroma, hue])
  }
  if (isReadable(found, on)) return found
  return direction === 1 ? "#ffffff" : "#000000"
}

/** A step lighter or darker. Near black and white the step goes the other way. */
const stronger = (hex: string, direction: 1 | -1): string => {
  const [lightness, chroma, hue] = oklchOf(hex)
  const moved = lightness + direction * 0.07
  return hexOf([moved < 0.2 || moved > 0.99 ? lightness - direction * 0.12 : moved, chroma, hue])
}

const themed = (
  hex: string,
  { direction, on, soft }: {
    readonly direction: 1 | -1
    readonly on: ReadonlyArray<string>
    readonly soft: { readonly lightness: number; readonly chroma: number }
  }
): AccentColors => {
  const [, chroma, hue] = oklchOf(hex)
  const accent_soft = hexOf([soft.lightness, Math.min(chroma, soft.chroma), hue])
  const accent = readable(hex, direction, [...on, accent_soft])
  const accent_strong = stronger(accent, direction)
  const ink = hexOf([0.2, Math.min(chroma, 0.05), hue])
  const on_accent = direction === -1 ? "#ffffff" : ink
  return { accent, accent_strong, accent_soft, on_accent }
}

/**
 * The colours that a page takes from a club's accent, `#rrggbb`. An accent that can be read stays as it is. Any other gets
 * darker in the light theme, or lighter in the dark one, and keeps its hue.
 */
export const faceColors = (accent: string): FaceColors => ({
  light: themed(accent, { direction: -1, on: grounds.light, soft: { lightness: 0.945, chroma: 0.025 } }),
  dark: themed(accent, { direction: 1, on: grounds.dark, soft: { lightness: 0.275, chroma: 0.05 } })
})
