import { counted, dateTime, number } from "../../../../browser/client/Format.ts"
import { spoken } from "../../../../browser/client/Language.ts"
import type { Message } from "./talk.ts"

/** Why an answer failed. */
export const failures = spoken<Readonly<Record<NonNullable<Message["error_code"]>, string>>>(
  {
    answer_refused: "The assistant did not want to answer this. Try to ask in another way.",
    interrupted: "The answer was interrupted.",
    provider_rate_limited: "The assistant has too much to do right now. Wait a moment and ask again.",
    provider_unavailable: "The assistant is away right now. Wait a moment and ask again.",
    timeout: "The answer took too long."
  },
  {
    answer_refused: "O assistente não quis responder a isto. Tente perguntar de outro jeito.",
    interrupted: "A resposta foi interrompida.",
    provider_rate_limited: "O assistente está com muitas perguntas agora. Espere um pouco e pergunte de novo.",
    provider_unavailable: "O assistente está fora do ar agora. Espere um pouco e pergunte de novo.",
    timeout: "A resposta demorou demais."
  }
)

/** The words of the assistant's panel. */
export const words = spoken(
  {
    again: "Ask again",
    answered: "The answer is there.",
    answering: "The assistant is answering.",
    ask: "Ask about this lesson",
    begin: "New conversation",
    canceled: "You stopped this answer.",
    close: "Close",
    conversation: "Conversation with the assistant",
    earlier: "Earlier conversations",
    elsewhere: "The lesson no longer has this passage, or you do not have the lesson now.",
    empty: "What is not clear yet? The answer comes from the material of the course and shows you where it is.",
    exhausted: "The club's answers of this month are used up.",
    field: "Your question",
    inviteText: "The assistant answers from the material of the course and shows you where it is.",
    lesson: "Lesson",
    left: (left: number, all: number) =>
      `${number(left)} of ${number(all)} ${counted(all, "question", "questions")} left today`,
    lost: "It was not sent. Your question is still here.",
    nothingEarlier: "There are no earlier conversations.",
    older: "Show earlier messages",
    page: (page: number) => `page ${number(page)}`,
    placeholder: "Ask about this lesson…",
    quotes: "Quoted passages",
    send: "Send",
    sources: "Sources",
    stop: "Stop",
    thinking: "Looking in the material…",
    title: "Assistant",
    used: (at: string) => `You have used today's questions. You can ask again from ${dateTime(at)} on.`,
    you: "You"
  },
  {
    again: "Perguntar de novo",
    answered: "A resposta chegou.",
    answering: "O assistente está respondendo.",
    ask: "Perguntar sobre esta aula",
    begin: "Nova conversa",
    canceled: "Você parou esta resposta.",
    close: "Fechar",
    conversation: "Conversa com o assistente",
    earlier: "Conversas anteriores",
    elsewhere: "A aula não tem mais este trecho, ou você não tem mais acesso a ela.",
    empty: "O que ainda não ficou claro? A resposta vem do material do curso e mostra de onde saiu.",
    exhausted: "As respostas do clube neste mês acabaram.",
    field: "Sua pergunta",
    inviteText: "O assistente responde com o material do curso e mostra de onde tirou.",
    lesson: "Aula",
    left: (left: number, all: number) =>
      `${counted(left, "Resta", "Restam")} ${number(left)} de ${number(all)} ${
        counted(all, "pergunta", "perguntas")
      } hoje`,
    lost: "Não foi enviada. Sua pergunta continua aqui.",
    nothingEarlier: "Não há conversas anteriores.",
    older: "Mostrar mensagens anteriores",
    page: (page: number) => `página ${number(page)}`,
    placeholder: "Pergunte sobre esta aula…",
    quotes: "Trechos citados",
    send: "Enviar",
    sources: "Fontes",
    stop: "Parar",
    thinking: "Procurando no material…",
    title: "Assistente",
    used: (at: string) => `Você já usou as perguntas de hoje. Dá para perguntar de novo a partir de ${dateTime(at)}.`,
    you: "Você"
  }
)
