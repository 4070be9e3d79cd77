/** The words of the front page and the pages of mails. */
const english = {
  title: "Everything a learning community needs, as an API",
  lead: "Turma runs clubs: courses and lessons, members and roles, community, lives, points, sales and webhooks.",
  version: (version: string) => `This is version ${version}, and it is running.`,
  documentation: {
    title: "Documentation",
    text: "Guides and the reference of every operation, with examples to paste."
  },
  console: { title: "Console", text: "The dashboard of a club: sign in, and see whether everything is all right." },
  openApi: { title: "OpenAPI", text: "The contract as a document, for generators and tools." },
  health: { title: "Health", text: "Reports if the service is up, for monitors." },
  account: { title: "Create an account", text: "Sign up, confirm the mail, found a club." },
  signIn: { title: "Sign in", text: "With a password or a mailed code." },
  mails: "Mails",
  mailsLead: "No mail leaves this installation: each is a file in its data folder.",
  closed: "To read them here, open the address that the service prints at its start, in the line “Mails:”. " +
    "It lets one browser in, once, for 12 hours. Each start prints another one.",
  front: "Front page",
  noMails: "No mail was written yet.",
  noSubject: "Without a subject",
  to: "To",
  at: "Written",
  back: "All mails"
}

type Words = typeof english

const portuguese: Words = {
  title: "Tudo de que uma comunidade de ensino precisa, em uma API",
  lead: "Turma cuida de clubes: cursos e aulas, equipe e papéis, comunidade, lives, pontos, vendas e webhooks.",
  version: (version) => `Esta é a versão ${version}, e ela está no ar.`,
  documentation: {
    title: "Documentação",
    text: "Guias e a referência de cada operação, com exemplos prontos para colar."
  },
  console: { title: "Console", text: "O painel de um clube: entre e veja se está tudo certo." },
  openApi: { title: "OpenAPI", text: "O contrato como documento, para geradores e ferramentas." },
  health: { title: "Saúde", text: "Informa se o serviço está no ar, para monitores." },
  account: { title: "Criar uma conta", text: "Cadastre-se, confirme o e-mail, crie um clube." },
  signIn: { title: "Entrar", text: "Com uma senha ou um código por e-mail." },
  mails: "E-mails",
  mailsLead: "Nenhum e-mail sai desta instalação: cada um é um arquivo na pasta de dados.",
  closed: "Para ler os e-mails aqui, abra o endereço que o serviço mostra ao iniciar, na linha “Mails:”. " +
    "Ele libera um só navegador, uma única vez, por 12 horas. A cada inicialização, o serviço mostra outro.",
  front: "Página inicial",
  noMails: "Nenhum e-mail ainda.",
  noSubject: "Sem assunto",
  to: "Para",
  at: "Data",
  back: "Todos os e-mails"
}

/** By language. */
export const words = { "en": english, "pt-BR": portuguese } as const
