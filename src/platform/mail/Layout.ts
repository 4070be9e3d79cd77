import type { Locale } from "../http/Locale.ts"
import type { Mail } from "./Mail.ts"
import { escapeHtml, oneLine, plainName } from "./Text.ts"

/** What a mail says. Every text is plain: it may hold anything that people entered. */
export interface Letter {
  readonly locale: Locale
  readonly recipient: string
  readonly subject: string
  /** The name in the greeting; without it, the greeting names nobody. */
  readonly name?: string | undefined
  readonly paragraphs: ReadonlyArray<string>
  /** Where to go, the first first. `url` is complete. */
  readonly actions?: ReadonlyArray<Action> | undefined
  /** Something to copy by hand. */
  readonly code?: string | undefined
  /** Words of the reader that the mail answers, line by line. */
  readonly quote?: Quote | undefined
  readonly footer: string
  /** How to get no such mail any longer. */
  readonly unsubscribe?: Unsubscribe | undefined
}

/** Earlier words, and a label that names their author: "You wrote:". */
interface Quote {
  readonly label: string
  readonly lines: ReadonlyArray<string>
}

/** A link at the end of a mail, and the address for mail programs, which ends the mails by one POST. */
interface Unsubscribe extends Action {
  readonly one_click_url: string
}

/** A link that the reader is to follow, and what it is called. `url` is complete. */
interface Action {
  readonly label: string
  readonly url: string
}

const words = {
  "pt-BR": {
    greeting: (name: string) => name === "" ? "Olá!" : `Olá, ${name}!`,
    copy: "Se o botão não funcionar, copie o endereço para o navegador:"
  },
  en: {
    greeting: (name: string) => name === "" ? "Hello," : `Hello ${name},`,
    copy: "If the button does not work, copy the address into your browser:"
  }
} as const

interface Lines extends Omit<Letter, "name" | "recipient" | "unsubscribe"> {
  readonly greeting: string
  readonly actions: ReadonlyArray<Action>
  /** Beside the footer. */
  readonly end: Action | undefined
}

const toText = ({ actions, code, end, footer, greeting, paragraphs, quote }: Lines) =>
  [
    greeting,
    ...paragraphs,
    ...actions.map(({ label, url }) => `${label}:\n${url}`),
    ...(code === undefined ? [] : [code]),
    ...(quote === undefined ? [] : [[quote.label, ...quote.lines.map((line) => `> ${line}`)].join("\n")]),
    `-- \n${footer}${end === undefined ? "" : `\n${end.label}:\n${end.url}`}`
  ].join("\n\n") + "\n"

const button = "display:inline-block;padding:12px 20px;border-radius:6px;background:#1d4ed8;color:#ffffff;" +
  "font-weight:bold;text-decoration:none"
const page = "max-width:560px;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1f2937"
const codeStyle = "font:bold 20px/1.5 ui-monospace,monospace;overflow-wrap:anywhere"
const small = "font-size:14px;color:#4b5563;overflow-wrap:anywhere"

const quoteStyle = "margin:0;padding-left:12px;border-left:3px solid #d1d5db;color:#4b5563"

const quoteHtml = ({ label, lines }: Quote) => {
  const quoted = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("\n")
  return `<p>${escapeHtml(label)}</p>\n<blockquote style="${quoteStyle}">\n${quoted}\n</blockquote>`
}

const endHtml = ({ label, url }: Action) =>
  `<br><a href="${escapeHtml(url)}" style="color:#4b5563">${escapeHtml(label)}</a>`

const toHtml = ({ actions, code, end, footer, greeting, locale, paragraphs, quote, subject }: Lines) => {
  const urls = actions.map(({ url }) => escapeHtml(url))
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;background:#ffffff">
<div role="article" lang="${locale}" style="${page}">
${[greeting, ...paragraphs].map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join("\n")}
${
    actions.map(({ label }, index) => `<p><a href="${urls[index]}" style="${button}">${escapeHtml(label)}</a></p>`)
      .join("\n")
  }
${code === undefined ? "" : `<p style="${codeStyle}">${escapeHtml(code)}</p>`}
${urls.length === 0 ? "" : `<p style="${small}">${words[locale].copy}<br>${urls.join("<br>")}</p>`}
${quote === undefined ? "" : quoteHtml(quote)}
<p style="${small}">${escapeHtml(footer)}${end === undefined ? "" : endHtml(end)}</p>
</div>
</body>
</html>
`
}

/**
 * Sets a letter as a mail, in text and in HTML. Nothing in it is loaded from elsewhere, and no text of the letter
 * becomes a header, a line of its own or markup.
 */
export const layOut = (letter: Letter): Mail => {
  const lines: Lines = {
    locale: letter.locale,
    subject: oneLine(letter.subject),
    greeting: words[letter.locale].greeting(plainName(letter.name ?? "")),
    paragraphs: letter.paragraphs.map(oneLine),
    actions: (letter.actions ?? []).map(({ label, url }) => ({ label: oneLine(label), url: oneLine(url) })),
    code: letter.code === undefined ? undefined : oneLine(letter.code),
    quote: letter.quote && { label: oneLine(letter.quote.label), lines: letter.quote.lines.map(oneLine) },
    footer: oneLine(letter.footer),
    end: letter.unsubscribe && { label: oneLine(letter.unsubscribe.label), url: oneLine(letter.unsubscribe.url) }
  }
  const mail = { recipient: letter.recipient, subject: lines.subject, text: toText(lines), html: toHtml(lines) }
  return letter.unsubscribe === undefined ? mail : { ...mail, unsubscribe: oneLine(letter.unsubscribe.one_click_url) }
}
