#include "bot.hpp"

int main() {
  Greedy bot;
  return roundhouse::serve(bot);
}
