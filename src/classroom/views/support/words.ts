import { counted, number } from "../../../browser/client/Format.ts"
import { spoken } from "../../../browser/client/Language.ts"

/** The words of the views of support. */
export const words = spoken(
  {
    about: "What is it about?",
    aboutHint: "In a few words: “The video does not open”.",
    answer: "Your message",
    ask: "Ask for help",
    closed: "This conversation is closed. If you write, it opens again.",
    conversation: "Conversation",
    message: "Your question",
    messageHint: "The more exact it is, the faster you get help: which lesson, which device.",
    new: (count: number) => counted(count, "1 new", `${number(count)} new`),
    none: "Do you need help?",
    noneText: "Write to the team. They answer here and by mail.",
    older: "Show older messages",
    opened: "Your question is with the team. They answer here and by mail.",
    send: "Send",
    sending: "Sending…",
    statuses: { closed: "Closed", open: "Open", pending: "Waits for you" },
    team: "Team",
    thread: "Messages, the newest last",
    title: "Help",
    you: "You"
  },
  {
    about: "Qual é o assunto?",
    aboutHint: "Em poucas palavras: “O vídeo não abre”.",
    answer: "Sua mensagem",
    ask: "Pedir ajuda",
    closed: "Esta conversa foi encerrada. Se você escrever, ela reabre.",
    conversation: "Conversa",
    message: "Sua pergunta",
    messageHint: "Quanto mais detalhe, mais rápida a ajuda: qual aula, qual aparelho.",
    new: (count: number) => counted(count, "1 nova", `${number(count)} novas`),
    none: "Precisa de ajuda?",
    noneText: "Escreva para a equipe. A resposta chega aqui e por e-mail.",
    older: "Mostrar mensagens anteriores",
    opened: "Sua pergunta foi enviada. A equipe responde aqui e por e-mail.",
    send: "Enviar",
    sending: "Enviando…",
    statuses: { closed: "Encerrada", open: "Aberta", pending: "Aguardando você" },
    team: "Equipe",
    thread: "Mensagens, a mais nova por último",
    title: "Ajuda",
    you: "Você"
  }
)
