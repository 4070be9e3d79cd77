import { DateTime } from "effect"
import type { Locale } from "../../platform/http/Locale.ts"
import type { WrittenMail } from "../../platform/mail/WrittenMails.ts"
import { html, type Markup } from "../../platform/pages/Html.ts"
import type { Page } from "../../platform/pages/Page.ts"
import { version } from "../../platform/version.ts"
import { words } from "./Words.ts"

interface Front {
  readonly locale: Locale
  /** True if administrators have pages of their own here. */
  readonly hasAccounts: boolean
  /** `closed` for a browser that may open them, `nothing` where nobody may. */
  readonly mails: ReadonlyArray<WrittenMail> | "closed" | "nothing"
}

const tile = (to: string, { text, title }: { readonly title: string; readonly text: string }) =>
  html`<li><a class="tile" href="${to}"><strong>${title}</strong><span>${text}</span></a></li>`

const timeOf = (locale: Locale, at: DateTime.Utc) =>
  html`<time datetime="${DateTime.formatIso(at)}">${
    DateTime.format(at, { locale, dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" })
  } UTC</time>`

const mailItem = (locale: Locale, { at, name, recipient, subject }: WrittenMail) =>
  html`<li><a href="${`/mails/${encodeURIComponent(name)}`}">${subject === "" ? words[locale].noSubject : subject}</a>
<span class="soft small">${recipient}<br>${timeOf(locale, at)}</span></li>`

const openMails = (locale: Locale, mails: ReadonlyArray<WrittenMail>) =>
  html`<p class="soft">${words[locale].mailsLead}</p>
${
    mails.length === 0
      ? html`<p>${words[locale].noMails}</p>`
      : html`<ul class="rows card">${mails.map((mail) => mailItem(locale, mail))}</ul>`
  }`

const closedMails = (locale: Locale) =>
  html`<p class="soft">${words[locale].mailsLead}</p>
<p>${words[locale].closed}</p>`

const mailsOf = (locale: Locale, mails: ReadonlyArray<WrittenMail> | "closed") =>
  html`<section class="stack" aria-labelledby="mails">
<h2 id="mails">${words[locale].mails}</h2>
${mails === "closed" ? closedMails(locale) : openMails(locale, mails)}
</section>`

/** The description of this service, with links. */
export const frontPage = ({ hasAccounts, locale, mails }: Front): Page => {
  const said = words[locale]
  return {
    locale,
    title: said.title,
    width: "wide",
    body: html`<div class="stack stack-wide">
<header class="stack hero"><h1>${said.title}</h1><p class="lead">${said.lead}</p><p class="soft">${
      said.version(version)
    }</p></header>
<ul class="tiles">${tile("/console", said.console)}${tile("/docs", said.documentation)}${
      hasAccounts && tile("/account/sign-up", said.account)
    }${hasAccounts && tile("/account/sign-in", said.signIn)}${tile("/openapi.json", said.openApi)}${
      tile("/v1/health", said.health)
    }</ul>
${mails !== "nothing" && mailsOf(locale, mails)}
</div>`
  }
}

/** Text with what is an address of the web in it as a link. */
const linked = (text: string): ReadonlyArray<string | Markup> =>
  text.split(/(https?:\/\/\S+)/).map((part, index) => index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part)

/** One mail, as its text. */
export const mailPage = (locale: Locale, { at, recipient, subject, text }: WrittenMail): Page => {
  const said = words[locale]
  return {
    locale,
    title: subject === "" ? said.noSubject : subject,
    width: "wide",
    body: html`<div class="stack stack-wide"><p><a href="/#mails">${said.back}</a></p>
<article class="card stack"><h1>${subject === "" ? said.noSubject : subject}</h1>
<dl class="facts"><dt>${said.to}</dt><dd>${recipient}</dd><dt>${said.at}</dt><dd>${timeOf(locale, at)}</dd></dl>
<div class="letter">${linked(text)}</div></article></div>`
  }
}

/** In place of a mail, for a browser that has not opened the address of the start: which line of it has the address. */
export const closedPage = (locale: Locale): Page => ({
  locale,
  title: words[locale].mails,
  body: html`<div class="stack"><h1>${words[locale].mails}</h1>
${closedMails(locale)}
<p><a href="/">${words[locale].front}</a></p></div>`
})
