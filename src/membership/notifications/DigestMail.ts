import type { InEach, Locale } from "../../platform/http/Locale.ts"
import { layOut } from "../../platform/mail/Layout.ts"
import type { Mail } from "../../platform/mail/Mail.ts"
import { plainName, plainWords } from "../../platform/mail/Text.ts"
import type { Notification, NotificationKind } from "./Notification.ts"

/** The most notifications that one mail shows. */
export const mostShown = 10

/** The content of a mail about notifications. The links are complete. */
export interface Digest {
  readonly recipient: string
  readonly name: string
  readonly club_name: string
  /** The newest first, at least one. Those beyond `mostShown` are only mentioned. */
  readonly notifications: ReadonlyArray<Pick<Notification, "kind" | "title" | "excerpt" | "actor_name">>
  readonly notifications_link: string
  readonly unsubscribe_link: string
  readonly one_click_link: string
}

type Headline = (actor: string, title: string) => string

const words: InEach<
  {
    readonly somebody: string
    readonly headlines: Readonly<Record<NotificationKind, Headline>>
    readonly subject: (count: string, club: string) => string
    readonly more: string
    readonly action: string
    readonly footer: (club: string) => string
    readonly stop: string
  }
> = {
  "pt-BR": {
    somebody: "Alguém",
    headlines: {
      reply: (actor, title) => `${actor} respondeu a você em “${title}”`,
      mention: (actor, title) => `${actor} mencionou você em “${title}”`,
      assignment_reviewed: (_, title) => `Sua tarefa da aula “${title}” foi corrigida`,
      assistant_answer: (actor, title) => `${actor} respondeu ao seu comentário em “${title}”`,
      support_answer: (_, title) => `O suporte respondeu à sua conversa “${title}”`,
      live: (_, title) => `Nova live: “${title}”`
    },
    subject: (count, club) => `${count} novidades para você no clube ${club}`,
    more: "Há mais novidades esperando por você no clube.",
    action: "Ver as novidades",
    footer: (club) => `Você recebe este e-mail porque é aluno do clube ${club}.`,
    stop: "Não quero mais receber estes e-mails"
  },
  en: {
    somebody: "Somebody",
    headlines: {
      reply: (actor, title) => `${actor} replied to you in “${title}”`,
      mention: (actor, title) => `${actor} mentioned you in “${title}”`,
      assignment_reviewed: (_, title) => `Your work for the lesson “${title}” was reviewed`,
      assistant_answer: (actor, title) => `${actor} replied to your comment in “${title}”`,
      support_answer: (_, title) => `Support answered your conversation “${title}”`,
      live: (_, title) => `New live: “${title}”`
    },
    subject: (count, club) => `${count} things are new for you in the club ${club}`,
    more: "There is more for you in the club.",
    action: "See what is new",
    footer: (club) => `You get this mail because you are a student of the club ${club}.`,
    stop: "Stop sending me these mails"
  }
}

/** The mail with a student's unread notifications. */
export const digestMail = (locale: Locale, digest: Digest): Mail => {
  const { action, footer, headlines, more, somebody, stop, subject } = words[locale]
  const club = plainName(digest.club_name)
  const shown = digest.notifications.slice(0, mostShown)
  const isCut = digest.notifications.length > mostShown
  const lines = shown.map(({ actor_name, excerpt, kind, title }) => {
    const headline = headlines[kind](plainName(actor_name ?? "") || somebody, plainName(title))
    return { headline, text: excerpt === null ? headline : `${headline}: ${plainWords(excerpt, 200)}` }
  })
  const [first] = lines
  return layOut({
    locale,
    recipient: digest.recipient,
    name: digest.name,
    subject: first !== undefined && lines.length === 1
      ? first.headline
      : subject(`${shown.length}${isCut ? "+" : ""}`, club),
    paragraphs: [...lines.map(({ text }) => text), ...(isCut ? [more] : [])],
    actions: [{ label: action, url: digest.notifications_link }],
    footer: footer(club),
    unsubscribe: { label: stop, url: digest.unsubscribe_link, one_click_url: digest.one_click_link }
  })
}
