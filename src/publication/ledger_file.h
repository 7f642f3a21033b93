// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "publication/ledger.h"

namespace hearsay::publication {

// Reads the accounts in the text of a ledger. Throws InputError for `path`, with the line, where the text is not a
// ledger, names a key twice, or says what cannot be: an account without releases, a negative epsilon. What a damaged
// ledger says was spent may be too little, so nothing is read from one.
std::vector<Account> accounts_in(const std::string& text, const std::string& path);

// Writes them as the text of a ledger.
std::string ledger_text(const std::vector<Account>& accounts);

}  // namespace hearsay::publication
